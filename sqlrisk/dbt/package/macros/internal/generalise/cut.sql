{% macro cut(job, argument, column, kind, given) -%}
{%- if 'number ' ~ kind not in job.patterns -%}
{{ sqlrisk.refuse('`' ~ column['name'] ~ '` (' ~ column['type'] ~ '): cut needs numbers', 'leave it as it is') }}
{%- endif -%}
{%- set number = job.patterns['number ' ~ kind] | replace('@given@', given) -%}
{%- set ns = namespace(bounds=[], branches=[]) -%}
{%- for bound in (argument.split(',') if argument is string else (argument if argument is iterable else [argument])) -%}
{%- set ns.bounds = ns.bounds + [sqlrisk.number_text(column['name'], bound, 'cut')['text']] -%}
{%- endfor -%}
{%- do sqlrisk.rises(job, column['name'], ns.bounds) -%}
{%- for bound in ns.bounds -%}
{%- set ns.branches = ns.branches + [[number ~ ' < ' ~ bound, loop.index0]] -%}
{%- endfor -%}
{%- set last = number ~ ' >= ' ~ ns.bounds[-1] ~ (' AND ' ~ number ~ ' <= ' ~ job.patterns['infinity'] if kind in ['float', 'decimal'] else '') -%}
{%- set branches = ns.branches + [[last, ns.bounds | length]] -%}
{{ return({'key': sqlrisk.case_when(branches, none), 'kind': 'integer', 'may_fail': kind in ['text', 'float', 'decimal']}) }}
{%- endmacro %}
