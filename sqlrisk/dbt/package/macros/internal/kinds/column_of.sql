{% macro column_of(columns, name, what, label) -%}
{#- The column called `name`: exactly, or the only one that differs in case alone. -#}
{%- set ns = namespace(exact=none, alike=[], names=[]) -%}
{%- for column in columns -%}
{%- set ns.names = ns.names + [column.name] -%}
{%- if column.name == name -%}{%- set ns.exact = column -%}{%- endif -%}
{%- if column.name | lower == name | lower -%}{%- set ns.alike = ns.alike + [column] -%}{%- endif -%}
{%- endfor -%}
{%- set found = ns.exact if ns.exact is not none else (ns.alike[0] if ns.alike | length == 1 else none) -%}
{%- if found is none and ns.alike -%}
{{ sqlrisk.refuse(what ~ ' `' ~ name ~ '` is ambiguous in ' ~ label, 'write it exactly') }}
{%- elif found is none -%}
{{ sqlrisk.refuse(what ~ ' `' ~ name ~ '` is not a column of ' ~ label, sqlrisk.nearest(name, ns.names)) }}
{%- endif -%}
{{ return({'name': found.name, 'kind': sqlrisk.kind_of(found.data_type), 'type': found.data_type}) }}
{%- endmacro %}
