{% macro as_real(job, text) -%}
{{ return(job.patterns['real'] | replace('@name@', text)) }}
{%- endmacro %}
