{% macro fingerprint(declared) -%}
{#- Of the declaration: sqlrisk.dbt.manifest computes the same from manifest.json. -#}
{#- Keys become texts before they are sorted, as they are in the manifest. -#}
{{ return(local_md5(tojson(fromjson(tojson(declared)), sort_keys=True))) }}
{%- endmacro %}
