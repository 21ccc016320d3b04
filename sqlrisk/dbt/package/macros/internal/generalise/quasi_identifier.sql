{% macro quasi_identifier(item) -%}
{#- `sex`, `"age:band=5"` or `{age: {band: 5}}` as a column, the kind of its generalisation (none: none), and its argument. -#}
{%- if item is mapping -%}
  {%- if item | length != 1 -%}{{ sqlrisk.refuse('a quasi-identifier has one column', 'write each as an item of its own: `- age: {band: 5}`') }}{%- endif -%}
  {%- set column = (item | list)[0] -%}
  {%- set value = item[column] -%}
  {%- if value is none -%}{{ return({'column': column, 'how': none, 'argument': none, 'other': none}) }}{%- endif -%}
  {%- if value is mapping -%}
    {%- set ns = namespace(kinds=[]) -%}
    {%- for key in value -%}{%- if key not in ['else', 'zone'] -%}{%- set ns.kinds = ns.kinds + [key] -%}{%- endif -%}{%- endfor -%}
    {%- if ns.kinds | length != 1 -%}{{ sqlrisk.refuse('`' ~ column ~ '` needs exactly one generalisation', 'write `{band: 5}`') }}{%- endif -%}
    {%- set how = ns.kinds[0] -%}
    {%- if 'zone' in value -%}{{ sqlrisk.refuse('`' ~ column ~ '`: time zones are not read in dbt', 'convert the column in the model') }}{%- endif -%}
    {%- if 'else' in value and how != 'map' -%}{{ sqlrisk.refuse('`' ~ column ~ '`: ' ~ how ~ ' takes no `else`', 'leave it out') }}{%- endif -%}
    {{ return({'column': column, 'how': how, 'argument': value[how], 'other': value.get('else')}) }}
  {%- endif -%}
  {{ return(sqlrisk.generalisation_text(column, value | string)) }}
{%- endif -%}
{%- set text = item | string | trim -%}
{%- if text[:1] == '"' -%}
  {%- set parts = modules.re.match('^"((?:[^"]|"")*)"(?::(.*))?$', text) -%}
{%- else -%}
  {%- set parts = modules.re.match('^([^:"]+)(?::(.*))?$', text) -%}
{%- endif -%}
{%- if not parts -%}{{ sqlrisk.refuse('`' ~ text ~ '` is not a quasi-identifier', 'write `COLUMN` or `COLUMN:band=5`') }}{%- endif -%}
{%- set column = parts.group(1) | replace('""', '"') if text[:1] == '"' else parts.group(1) | trim -%}
{%- if parts.group(2) is none -%}{{ return({'column': column, 'how': none, 'argument': none, 'other': none}) }}{%- endif -%}
{{ return(sqlrisk.generalisation_text(column, parts.group(2))) }}
{%- endmacro %}
