{% macro by_pattern(job, pattern, column, kind, given, parameters) -%}
{%- set name = pattern ~ ' ' ~ kind -%}
{%- if name not in job.patterns -%}
{{ sqlrisk.refuse('`' ~ column['name'] ~ '` (' ~ column['type'] ~ ') cannot be generalised by ' ~ pattern.split(' ')[0] ~ ' here', 'choose another generalisation, or convert it in the model') }}
{%- endif -%}
{%- set about = job.patterns[name ~ ' is'].split('|') -%}
{%- set ns = namespace(text=job.patterns[name]) -%}
{%- for parameter in parameters -%}{%- set ns.text = ns.text | replace('@' ~ parameter ~ '@', parameters[parameter]) -%}{%- endfor -%}
{{ return({'key': ns.text | replace('@given@', given), 'kind': about[0], 'may_fail': about[1] == 'may fail'}) }}
{%- endmacro %}
