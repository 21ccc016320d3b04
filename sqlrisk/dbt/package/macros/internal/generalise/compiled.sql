{% macro compiled(job, qi, column, kind, given) -%}
{%- set how, argument = qi['how'], qi['argument'] -%}
{%- set name = column['name'] -%}
{%- set known = ['band', 'cut', 'round', 'prefix', 'truncate', 'time', 'weekday', 'map', 'min_count', 'normalise'] -%}
{%- if how is not none and how not in known -%}{{ sqlrisk.refuse('`' ~ name ~ '`: there is no generalisation `' ~ how ~ '`', sqlrisk.nearest(how, known)) }}{%- endif -%}
{%- if argument is none and how not in [none, 'weekday'] -%}{{ sqlrisk.refuse('`' ~ name ~ '`: ' ~ how ~ ' needs a value', 'write `' ~ name ~ ':' ~ how ~ '=...`') }}{%- endif -%}
{%- if how is none -%}
  {{ return(sqlrisk.by_pattern(job, 'plain', column, kind, given, {})) }}
{%- elif how == 'band' -%}
  {%- set width = sqlrisk.number_text(name, argument, 'band') -%}
  {%- if width['text'] | float <= 0 -%}{{ sqlrisk.refuse('`' ~ name ~ '`: the width `' ~ argument ~ '` is not above 0', 'write `' ~ name ~ ':band=5`') }}{%- endif -%}
  {{ return(sqlrisk.by_pattern(job, 'band ' ~ width['scale'], column, kind, given, {'width': width['digits']})) }}
{%- elif how == 'prefix' -%}
  {%- set length = sqlrisk.number_text(name, argument, 'prefix') -%}
  {%- if length['scale'] or length['text'] | int < 1 -%}{{ sqlrisk.refuse('`' ~ name ~ '`: `' ~ argument ~ '` is not a whole number from 1', 'write `' ~ name ~ ':prefix=3`') }}{%- endif -%}
  {{ return(sqlrisk.by_pattern(job, 'prefix', column, kind, given, {'length': length['text']})) }}
{%- elif how == 'min_count' -%}
  {%- set count = sqlrisk.number_text(name, argument, 'min_count') -%}
  {%- if count['scale'] or count['text'] | int < 1 -%}{{ sqlrisk.refuse('`' ~ name ~ '`: `' ~ argument ~ '` is not a whole number from 1', 'write `' ~ name ~ ':min_count=100`') }}{%- endif -%}
  {%- if qi['column'] not in job.counted and 'text ' ~ kind in job.patterns -%}
  {#- The release comes first, and its counts decide for a population too. -#}
  {%- do job.counted.update({qi['column']: job.patterns['text ' ~ kind] | replace('@given@', given)}) -%}
  {%- endif -%}
  {{ return(sqlrisk.by_pattern(job, 'min_count', column, kind, given, {'count': count['text'], 'rows': job.counted_rows, 'counted': job.counted.get(qi['column'], '')})) }}
{%- elif how == 'round' -%}
  {%- set digits = sqlrisk.number_text(name, argument, 'round') -%}
  {%- set count = digits['text'] | int -%}
  {%- if digits['scale'] or count < -9 or count > 9 -%}{{ sqlrisk.refuse('`' ~ name ~ '`: `' ~ argument ~ '` is not a whole number from -9 to 9', 'write `' ~ name ~ ':round=2`') }}{%- endif -%}
  {%- set way = 'round whole' if count == 0 else ('round up' if count > 0 else 'round down') -%}
  {{ return(sqlrisk.by_pattern(job, way, column, kind, given, {'digits': count | string, 'power': '1' ~ '0' * (count | abs)})) }}
{%- elif how in ['truncate', 'time'] -%}
  {%- set unit = argument | string | trim -%}
  {%- set units = ['year', 'quarter', 'month', 'week', 'day', 'hour'] if how == 'truncate' else ['hour', 'minute'] -%}
  {%- if '@' in unit -%}{{ sqlrisk.refuse('`' ~ name ~ '`: time zones are not read in dbt', 'convert the column in the model') }}{%- endif -%}
  {%- if unit not in units -%}{{ sqlrisk.refuse('`' ~ name ~ '`: there is no unit `' ~ unit ~ '`', 'known are ' ~ units | join(', ')) }}{%- endif -%}
  {{ return(sqlrisk.by_pattern(job, how ~ ' ' ~ unit, column, kind, given, {})) }}
{%- elif how == 'weekday' -%}
  {{ return(sqlrisk.by_pattern(job, 'weekday', column, kind, given, {})) }}
{%- elif how == 'normalise' -%}
  {%- set steps = (argument | string).split('+') if argument is string else argument -%}
  {%- set ns = namespace(text=given, kind=kind) -%}
  {%- for step in steps -%}
    {%- set made = sqlrisk.by_pattern(job, 'normalise ' ~ (step | trim), column, ns.kind, ns.text, {}) -%}
    {%- set ns.text = made['key'] -%}{%- set ns.kind = 'text' -%}
  {%- endfor -%}
  {{ return({'key': ns.text, 'kind': 'text', 'may_fail': false}) }}
{%- elif how == 'cut' -%}
  {{ return(sqlrisk.cut(job, argument, column, kind, given)) }}
{%- endif -%}
{{ return(sqlrisk.mapped(job, argument, qi['other'], column, kind, given)) }}
{%- endmacro %}
