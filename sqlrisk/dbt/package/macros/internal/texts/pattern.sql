{% macro pattern(job, name) -%}
{{ return(job.patterns[name] if name in job.patterns else none) }}
{%- endmacro %}
