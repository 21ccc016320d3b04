{% macro number_text(column, value, how) -%}
{#- A number as digits, without needless zeros; at most six decimals. -#}
{%- set text = value | string | trim -%}
{%- if value is boolean or not modules.re.match('^[+-]?([0-9]{1,16}([.][0-9]*)?|[.][0-9]+)$', text) -%}
{{ sqlrisk.refuse('`' ~ column ~ '`: `' ~ text ~ '` is not a number', 'write `' ~ column ~ ':' ~ how ~ '=5`') }}
{%- endif -%}
{%- set sign = '-' if text[:1] == '-' else '' -%}
{%- set text = modules.re.sub('^[+-]', '', text) -%}
{%- set whole = modules.re.sub('^0+', '', text.split('.')[0]) or '0' -%}
{%- set decimals = modules.re.sub('0+$', '', text.split('.')[1]) if '.' in text else '' -%}
{%- if decimals | length > 6 -%}{{ sqlrisk.refuse('`' ~ column ~ '`: `' ~ value ~ '` has more than 6 decimals', 'round it') }}{%- endif -%}
{%- set number = whole ~ ('.' ~ decimals if decimals else '') -%}
{{ return({'text': ('' if number == '0' else sign) ~ number, 'scale': decimals | length, 'digits': modules.re.sub('^0+', '', whole ~ decimals) or '0'}) }}
{%- endmacro %}
