{% macro nearest(name, known) -%}
{#- The known name that begins as `name` does, else all of them. -#}
{%- set ns = namespace(near=none) -%}
{%- for other in known -%}
{%- if ns.near is none and (other[:3] | lower) == (name | string)[:3] | lower -%}{%- set ns.near = other -%}{%- endif -%}
{%- endfor -%}
{{ return('did you mean `' ~ ns.near ~ '`?' if ns.near is not none else 'known are ' ~ (known | join(', '))) }}
{%- endmacro %}
