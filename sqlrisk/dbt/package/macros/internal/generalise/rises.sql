{% macro rises(job, column, bounds) -%}
{%- for bound in bounds -%}
{%- if not loop.first and bounds[loop.index0 - 1] | float >= bound | float -%}
{{ sqlrisk.refuse('`' ~ column ~ '`: the bounds must rise', 'write `' ~ column ~ ':cut=0,20000,50000`') }}
{%- endif -%}
{%- endfor -%}
{{ return('') }}
{%- endmacro %}
