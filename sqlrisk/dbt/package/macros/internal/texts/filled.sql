{% macro filled(job, name, parameter, value) -%}
{{ return(job.patterns[name] | replace('@' ~ parameter ~ '@', value)) }}
{%- endmacro %}
