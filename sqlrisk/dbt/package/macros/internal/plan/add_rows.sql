{% macro add_rows(job, name, rows, flags) -%}
{#- The step of the release, or of the population. -#}
{%- set ns = namespace(keys=[], tallies=[], sensitive=[], conditions=[]) -%}
{%- for item in rows['keys'] -%}
{%- set as_text = item['kind'] == 'float' and job.has_codes and adapter.type() == 'bigquery' -%}
{%- set key = job.patterns['float text'] | replace('@name@', item['key']) if as_text else item['key'] -%}
{%- set ns.keys = ns.keys + [key ~ ' AS ' ~ job.key_columns[loop.index0]] -%}
{%- endfor -%}
{%- for flag in flags -%}{%- set ns.tallies = ns.tallies + [flag['sql']] -%}{%- endfor -%}
{%- for item in rows['sensitive'] -%}
{%- set ns.sensitive = ns.sensitive + [item['key'] ~ ' AS ' ~ sqlrisk.quoted('s_' ~ loop.index)] -%}
{%- endfor -%}
{%- if rows['where'] -%}{%- set ns.conditions = [rows['where']] -%}{%- endif -%}
{%- if name == 'population' and rows['suppressed'] is not none -%}
{%- set nothing_left = rows['suppressed'] | replace(sqlrisk.quoted('source') ~ '.', '') -%}
{%- set ns.conditions = ns.conditions + ['CASE WHEN ' ~ nothing_left ~ ' THEN 1 ELSE 0 END = 0'] -%}
{%- endif -%}
{%- set joined = ns.conditions[0] if ns.conditions | length == 1 else '(' ~ ns.conditions | join(') AND (') ~ ')' -%}
{%- set inner = 'SELECT * FROM ' ~ rows['source'] ~ (' AS ' ~ sqlrisk.quoted(rows['own_name']) if rows['own_name'] else '') -%}
{%- if ns.conditions -%}
{%- set source = '(' ~ inner ~ ' WHERE ' ~ joined ~ ')' -%}
{%- elif rows['own_name'] -%}
{%- set source = rows['source'] -%}
{%- else -%}
{%- set source = '(' ~ inner ~ ')' -%}
{%- endif -%}
{%- set entity = [sqlrisk.quoted('source') ~ '.' ~ sqlrisk.quoted(rows['entity']) ~ ' AS ' ~ sqlrisk.quoted('entity')] if rows['entity'] else [] -%}
{%- set slots = {'quasi_identifiers': ns.keys, 'entity': entity, 'sensitive': ns.sensitive, 'tallies': ns.tallies, 'source': [source]} -%}
{%- set columns = job.keys + (['entity'] if rows['entity'] else []) + sqlrisk.sensitive_names(rows['sensitive']) + sqlrisk.names_of(flags) -%}
{%- do sqlrisk.add(job, name, 'release', slots, {}, columns) -%}
{%- if rows['reread'] -%}{%- set job.reread = job.reread + [job.names[name]] -%}{%- endif -%}
{{ return('') }}
{%- endmacro %}
