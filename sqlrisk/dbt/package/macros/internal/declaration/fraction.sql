{% macro fraction(value, what) -%}
{#- `0.2`, `1/11` or `k=11` as whole numbers p and q, and as a number. -#}
{%- set text = ('%.20f' | format(value) if value is float and 'e' in value | string else value | string) | trim -%}
{%- set ratio = modules.re.match('^([0-9]{1,9}) */ *([0-9]{1,9})$', text) -%}
{%- set size = modules.re.match('^k *= *([0-9]{1,9})$', text) -%}
{%- if ratio and ratio.group(2) | int > 0 -%}
{%- set p, q = ratio.group(1) | int, ratio.group(2) | int -%}
{%- elif size and size.group(1) | int > 0 -%}
{%- set p, q = 1, size.group(1) | int -%}
{%- elif value is not boolean and modules.re.match('^[0-9]*[.]?[0-9]{1,20}$', text) -%}
{%- set decimals = modules.re.sub('0+$', '', text.split('.')[1]) if '.' in text else '' -%}
{%- set p, q = (text.split('.')[0] ~ decimals) | int, 10 ** (decimals | length) -%}
{%- else -%}
{{ sqlrisk.refuse(what ~ ' `' ~ text ~ '` is not a number', 'write it as `0.05` or `1/20`') }}
{%- endif -%}
{{ return({'p': p, 'q': q, 'value': p / q, 'text': text}) }}
{%- endmacro %}
