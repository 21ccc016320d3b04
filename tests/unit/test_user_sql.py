# ruff: noqa: E501 - one case a line
"""SQL that a user gives: what is refused, what is let through, and which names it comes out with. One line a case."""

from __future__ import annotations

import pytest

from sqlrisk.errors import RequestError
from sqlrisk.sql.dialect import DIALECTS
from sqlrisk.sql.relation import Column, Kind, TableName
from sqlrisk.sql.user_sql import parse_condition, parse_query

COLUMNS = [Column("a", Kind.INTEGER, "int"), Column("b", Kind.TEXT, "text"), Column("Age", Kind.INTEGER, "int")]


def query(dialect: str, sql: str) -> str:
    tree = parse_query(sql, DIALECTS[dialect]).source
    return DIALECTS[dialect].write(tree, pretty=False).removeprefix("(").removesuffix(")")


def condition(dialect: str, sql: str) -> str:
    relation = TableName.parse("t", dialect).relation()
    return DIALECTS[dialect].write(parse_condition(sql, DIALECTS[dialect], COLUMNS, relation, "--where"), pretty=False)


def lines(text: str) -> list[list[str]]:
    """Cases from lines `dialects | SQL [ => expected]`; `¶` stands for a line break."""
    cases = []
    for line in filter(str.strip, text.splitlines()):
        dialects, _, rest = line.strip().partition(" | ")
        for dialect in dialects.split():
            cases.append([dialect, *(part.replace("¶", "\n") for part in rest.split(" => "))])
    return cases


REFUSED = lines(r"""
duckdb postgres bigquery spark | insert into t values (1)
duckdb postgres bigquery spark | update t set a = 1 where true
duckdb postgres bigquery spark | delete from t where true
duckdb postgres bigquery spark | merge into t using s on t.a = s.a when matched then delete
duckdb postgres bigquery spark | drop table t
duckdb postgres bigquery spark | truncate table t
duckdb postgres bigquery spark | alter table t add column c int
duckdb postgres bigquery spark | create table x as select 1 as a
duckdb postgres bigquery spark | create or replace view v as select 1 as a
duckdb postgres bigquery spark | create schema s
duckdb postgres bigquery spark | select 1; select 2
duckdb postgres bigquery spark | select * from t; drop table t
duckdb postgres bigquery spark | select * from t;¶-- harmless?¶delete from t where true
duckdb postgres bigquery spark | select 1 /* ; */ ; delete from t where true
duckdb postgres bigquery spark | select 'x' -- it's¶; drop table t
duckdb postgres bigquery spark | /* select 1 */ drop table t
duckdb postgres bigquery spark | -- select 1¶drop table t
duckdb postgres bigquery spark | select * from t where
duckdb postgres bigquery spark | select (1
duckdb postgres bigquery spark | -- nothing
duckdb postgres bigquery spark | ;
duckdb postgres bigquery spark | a = 1
duckdb postgres bigquery spark | t
duckdb postgres bigquery spark | select ?
duckdb postgres | select $1
duckdb postgres bigquery | values (1)
duckdb postgres | select rand.a from (select random() as a) rand
duckdb postgres | select * from t where a in (select nextval('s'))
duckdb postgres | with x as (select a from t order by random() limit 3) select * from x
postgres | with x as (insert into t values (1) returning *) select * from x
postgres | with x as (update t set a = 1 returning *) select * from x
postgres | with x as (delete from t returning *) select * from x
postgres | with x as (merge into t using s on t.a = s.a when matched then delete returning *) select * from x
postgres | with y as (with x as (delete from t returning *) select * from x) select * from y
postgres | select * from (with x as (delete from t returning *) select * from x) y
postgres | select a from t union select a from (with x as (delete from t returning a) select a from x) y
postgres | select a from t where exists (with x as (delete from t returning a) select a from x)
postgres | select * into new_table from t
postgres | select * into temp new_table from t
postgres | select * into unlogged new_table from t
postgres | select * from (select * into new_table from t) x
postgres | select * from t for update
postgres | select * from t for no key update
postgres | select * from t for share
postgres | select * from t for key share
postgres | select * from t for update of t nowait
postgres | select * from t for update skip locked
postgres | select * from (select * from t for update) x
postgres | with x as (select * from t for share) select * from x
postgres | select * from t where a in (select a from t for update)
postgres | select nextval('s')
postgres | select pg_catalog.nextval('s')
postgres | select "nextval"('s')
postgres | select NextVal ('s')
postgres | select next/**/val('s'), nextval/**/('s')
postgres | select coalesce(nextval('s'), 1)
postgres | select * from t where a = nextval('s')
postgres | select * from t order by nextval('s')
postgres | select * from t limit nextval('s')
postgres | select case when true then setval('s', 1) end
postgres | select setval('s', 1)
postgres | select currval('s')
postgres | select lastval()
postgres | select random()
postgres | select random_normal()
postgres | select * from t where random() < 0.5
postgres | select * from t order by random() limit 10
postgres | select setseed(0.5)
postgres | select gen_random_uuid()
postgres | select uuidv4()
postgres | select uuidv7()
postgres | select uuid_generate_v4()
postgres | select clock_timestamp()
postgres | select timeofday()
postgres | select statement_timestamp()
postgres | select txid_current()
postgres | select pg_current_xact_id()
postgres | select pg_sleep(10)
postgres | select pg_sleep_for('1 hour')
postgres | select pg_sleep_until('tomorrow')
postgres | select pg_advisory_lock(1)
postgres | select pg_advisory_xact_lock(1)
postgres | select pg_try_advisory_lock(1)
postgres | select pg_try_advisory_xact_lock_shared(1)
postgres | select pg_terminate_backend(1)
postgres | select pg_cancel_backend(pid) from pg_stat_activity
postgres | select pg_reload_conf()
postgres | select pg_rotate_logfile()
postgres | select pg_notify('a', 'b')
postgres | select pg_switch_wal()
postgres | select set_config('search_path', 'x', false)
postgres | select lo_import('/etc/passwd')
postgres | select lo_export(1, '/tmp/x')
postgres | select lo_create(0)
postgres | select lo_unlink(1)
postgres | select lo_put(1, 0, 'x')
postgres | select lo_from_bytea(0, 'x')
postgres | select pg_read_file('/etc/passwd')
postgres | select pg_read_binary_file('/etc/passwd')
postgres | select * from pg_ls_dir('/')
postgres | select * from dblink('x', 'delete from t') as d(a int)
postgres | select dblink_exec('x', 'delete from t')
postgres | select dblink_connect('x')
postgres | select query_to_xml('delete from t', true, true, '')
postgres | select query_to_xml_and_xmlschema('delete from t', true, true, '')
postgres | select table_to_xml('t', true, true, '')
postgres | select cursor_to_xml('c', 1, true, true, '')
postgres | select * from t tablesample system (10)
postgres | select * from t tablesample bernoulli (10) repeatable (1)
postgres | select :name
postgres | select %(name)s
postgres | copy t to '/tmp/x'
postgres | copy (select 1) to program 'id'
postgres | copy t from '/tmp/x'
postgres | explain select 1
postgres | explain analyze delete from t
postgres | vacuum t
postgres | analyze t
postgres | begin
postgres | commit
postgres | rollback
postgres | set role x
postgres | set search_path to x
postgres | reset all
postgres | show all
postgres | do $$ begin delete from t; end $$
postgres | call p()
postgres | grant select on t to x
postgres | revoke select on t from x
postgres | lock table t
postgres | listen x
postgres | notify x
postgres | prepare p as select 1
postgres | execute p
postgres | discard all
postgres | comment on table t is 'x'
postgres | '\'; delete from t; --'
duckdb | select * into x from t
duckdb | select nextval('s')
duckdb | select currval('s')
duckdb | select system.main.nextval('s')
duckdb | select 's'.nextval()
duckdb | select random()
duckdb | select uuid()
duckdb | select gen_random_uuid()
duckdb | select setseed(0.5)
duckdb | select getvariable('x')
duckdb | select * from query('select 1')
duckdb | select * from query_table('t')
duckdb | select * from t using sample 10
duckdb | select * from t using sample 10%
duckdb | select * from t tablesample reservoir(20%)
duckdb | from t using sample 10
duckdb | select * from (from t using sample 3)
duckdb | copy t to 'x.csv'
duckdb | copy (select 1) to 'x.csv'
duckdb | attach 'x.db'
duckdb | attach 'x.db' as x (read_only)
duckdb | detach x
duckdb | install httpfs
duckdb | load httpfs
duckdb | pragma version
duckdb | pragma enable_profiling
duckdb | set threads = 1
duckdb | reset threads
duckdb | set variable x = 1
duckdb | export database 'x'
duckdb | import database 'x'
duckdb | checkpoint
duckdb | use x
duckdb | call pragma_version()
duckdb | create macro f() as 1
duckdb | create temp table x as from t
duckdb | create sequence s
duckdb | create secret s (type s3)
duckdb | describe t
duckdb | summarize t
duckdb | show tables
bigquery | select rand()
bigquery | select generate_uuid()
bigquery | select * from t order by rand() limit 3
bigquery | select * from t where rand() < 0.1
bigquery | select * from t tablesample system (10 percent)
bigquery | select * from external_query('connection', 'delete from t')
bigquery | select @name
bigquery | select @@project_id
bigquery | create temp table x as select 1 as a
bigquery | create temp function f() as (1); select f()
bigquery | create table x clone t
bigquery | insert t (a) values (1)
bigquery | insert into `p.d.t` select 1
bigquery | export data options (uri = 'gs://x') as select 1
bigquery | load data into t from files (format = 'CSV')
bigquery | declare x int64
bigquery | declare x int64; select 1
bigquery | set x = 1
bigquery | execute immediate 'drop table t'
bigquery | begin select 1; end
bigquery | call p()
bigquery | assert true
bigquery | grant `roles/x` on table t to 'user:a'
bigquery | merge t using s on true when not matched then insert row
spark | select rand()
spark | select randn()
spark | select uuid()
spark | select * from t tablesample (10 percent)
spark | insert overwrite t select 1
spark | cache table t
spark | refresh table t
""")

REFUSED_CONDITIONS = lines(r"""
duckdb postgres bigquery spark | 1=1) union select 1 where (1=1
duckdb postgres bigquery spark | 1=1) union all select 1 where (1=1
duckdb postgres bigquery spark | 1=1) or (1=1
duckdb postgres bigquery spark | true) order by (a
duckdb postgres bigquery spark | true) group by (a
duckdb postgres bigquery spark | true) group by a having (true
duckdb postgres bigquery spark | true) limit (1
duckdb postgres bigquery spark | true) window w as (partition by a
duckdb postgres bigquery spark | true) --
duckdb postgres bigquery spark | true) /*
duckdb postgres bigquery spark | true); drop table t; select (1
duckdb postgres bigquery spark | true; drop table t
duckdb postgres bigquery spark | a = 1 order by a
duckdb postgres bigquery spark | a = 1 group by a
duckdb postgres bigquery spark | a = 1 limit 1
duckdb postgres bigquery spark | a = 1, b = 'x'
duckdb postgres bigquery spark | select 1
duckdb postgres bigquery spark | (select 1) union (select 2)
duckdb postgres bigquery spark | where a = 1
duckdb postgres bigquery spark | a =
duckdb postgres bigquery spark | = 1
duckdb postgres bigquery spark | a = 1 /* open
duckdb postgres bigquery spark | a = 'open
duckdb postgres bigquery spark | nothing = 1
duckdb postgres bigquery spark | a = nothing
duckdb postgres bigquery spark | abs(nothing) = 1
duckdb postgres bigquery spark | a = ?
duckdb postgres bigquery spark | a in (select a from u tablesample system (10))
duckdb postgres | random() < 0.5
duckdb postgres | a = nextval('s')
duckdb postgres | a in (select nextval('s'))
duckdb postgres | a = 1 or (b = 'x' and a > (select random()))
postgres | exists (with d as (delete from t returning *) select 1 from d)
postgres | a in (delete from t returning a)
postgres | a = (select 1 into x)
postgres | a in (select a from u for update)
postgres | true) for update; select (1
postgres | true) intersect select 1 where (true
postgres | pg_sleep(10) is null
postgres | pg_read_file('/etc/passwd') like 'root%'
postgres | set_config('x', 'y', false) = 'y'
postgres | a = :name
postgres | a = $1
postgres | "AGE" = 1 and "nothing" = 2
duckdb | a = 1 using sample 10
duckdb | true) using sample (10
duckdb | true) qualify (row_number() over () = 1
bigquery | rand() < 0.5
bigquery | true) tablesample system (10 percent
bigquery | true) qualify (row_number() over () = 1
bigquery | a = @name
spark | rand() < 0.5
""")

ACCEPTED = lines(r"""
duckdb postgres spark | select 1 as x => SELECT 1 AS "x"
duckdb postgres | select 1 as x; => SELECT 1 AS "x"
duckdb postgres | select 1 as x where true; -- ; => SELECT 1 AS "x" WHERE TRUE
duckdb postgres | ; select 1 as x ;; => SELECT 1 AS "x"
duckdb postgres | (select 1 as x) => SELECT 1 AS "x"
duckdb postgres | ((select 1 as x)) => SELECT 1 AS "x"
duckdb postgres | select a from t -- ; drop table t => SELECT "a" FROM "t"
duckdb postgres | select a /* for update; */ from t => SELECT "a" FROM "t"
duckdb postgres | select 'drop table t; --' as a => SELECT 'drop table t; --' AS "a"
duckdb postgres | select 'it''s' as a => SELECT 'it''s' AS "a"
duckdb postgres | select a as "delete", "update" from "insert" => SELECT "a" AS "delete", "update" FROM "insert"
duckdb postgres | select "a""b" from t => SELECT "a""b" FROM "t"
duckdb postgres | with x as (select a from t) select * from x => WITH "x" AS (SELECT "a" FROM "t") SELECT * FROM "x"
duckdb postgres | select a from t union all select a from u => SELECT "a" FROM "t" UNION ALL SELECT "a" FROM "u"
duckdb postgres | select a from t except select a from u => SELECT "a" FROM "t" EXCEPT SELECT "a" FROM "u"
duckdb postgres | select * from (select a from t) as x => SELECT * FROM (SELECT "a" FROM "t") AS "x"
duckdb postgres | select a from t where a in (select a from u) => SELECT "a" FROM "t" WHERE "a" IN (SELECT "a" FROM "u")
duckdb postgres | select a from t where exists (select 1 from u where u.a = t.a) => SELECT "a" FROM "t" WHERE EXISTS(SELECT 1 FROM "u" WHERE "u"."a" = "t"."a")
duckdb postgres | select sum(a) over (partition by b) as s from t => SELECT SUM("a") OVER (PARTITION BY "b") AS "s" FROM "t"
duckdb postgres | select b, count(*) as n from t group by b having count(*) > 1 => SELECT "b", COUNT(*) AS "n" FROM "t" GROUP BY "b" HAVING COUNT(*) > 1
duckdb postgres | select t.a, u.b from t join u on t.a = u.a => SELECT "t"."a", "u"."b" FROM "t" JOIN "u" ON "t"."a" = "u"."a"
duckdb postgres | select distinct a from t => SELECT DISTINCT "a" FROM "t"
duckdb postgres | select a from t where b like '%x%' => SELECT "a" FROM "t" WHERE "b" LIKE '%x%'
duckdb postgres | select a from t where b = 'x:y ? $1' => SELECT "a" FROM "t" WHERE "b" = 'x:y ? $1'
duckdb postgres | select current_date as d => SELECT CURRENT_DATE AS "d"
postgres | select Age from People => SELECT "age" FROM "people"
postgres | select "Age" from "People" => SELECT "Age" FROM "People"
postgres | select P.Age as Years from My_Schema.People as P where P.SEX = 'M' => SELECT "p"."age" AS "years" FROM "my_schema"."people" AS "p" WHERE "p"."sex" = 'M'
postgres | with Young as (select Age from People) select * from YOUNG => WITH "young" AS (SELECT "age" FROM "people") SELECT * FROM "young"
postgres | select Tuple."Name" from "Tuple" as Tuple => SELECT "tuple"."Name" FROM "Tuple" AS "tuple"
postgres | select data->>'Age' as age from t => SELECT "data" ->> 'Age' AS "age" FROM "t"
postgres | select a from t where b ~ '^x' => SELECT "a" FROM "t" WHERE "b" ~ '^x'
postgres | select a from t where data ? 'x' => SELECT "a" FROM "t" WHERE "data" ? 'x'
postgres | select distinct on (a) a, b from t order by a, b => SELECT DISTINCT ON ("a") "a", "b" FROM "t" ORDER BY "a", "b"
postgres | select $$drop table t; delete$$ as a => SELECT 'drop table t; delete' AS "a"
postgres | select my_function(a) as m from t => SELECT my_function("a") AS "m" FROM "t"
duckdb | from t => SELECT * FROM "t"
duckdb | select * exclude (a) from t => SELECT * EXCLUDE ("a") FROM "t"
duckdb | select a from t qualify row_number() over (partition by b) = 1 => SELECT "a" FROM "t" QUALIFY ROW_NUMBER() OVER (PARTITION BY "b") = 1
duckdb | select * from read_parquet('Some/File.parquet') => SELECT * FROM READ_PARQUET('Some/File.parquet')
bigquery | select Age from `My-Project.data.People` => SELECT `Age` FROM `My-Project.data.People`
bigquery | select Age from my-project.data.People => SELECT `Age` FROM `my-project`.`data`.`People`
bigquery | select Age from `my-project`.data.`People` => SELECT `Age` FROM `my-project`.`data`.`People`
bigquery | select * from `p.d.events_*` where _table_suffix = '20250101' => SELECT * FROM `p.d.events_*` WHERE `_table_suffix` = '20250101'
bigquery | select * from `example.com:project.d.t` => SELECT * FROM `example.com:project.d.t`
bigquery | select * except (a) from t => SELECT * EXCEPT (`a`) FROM `t`
bigquery | select x from t, unnest(t.items) as x => SELECT `x` FROM `t` CROSS JOIN UNNEST(`t`.`items`) AS `x`
bigquery | with Foo as (select 1 as a) select * from FOO => WITH `Foo` AS (SELECT 1 AS `a`) SELECT * FROM `FOO`
""")

ACCEPTED_CONDITIONS = lines(r"""
duckdb postgres | a = 1 => "a" = 1
duckdb postgres | a = 1 -- only these => "a" = 1
duckdb postgres | a = 1 /* ) or true */ => "a" = 1
duckdb postgres | a = 1 or b = 'x' => "a" = 1 OR "b" = 'x'
duckdb postgres | (a = 1) or (b = 'x') => ("a" = 1) OR ("b" = 'x')
duckdb postgres | not a = 1 => NOT "a" = 1
duckdb postgres | a between 1 and 2 and b like '%x' => "a" BETWEEN 1 AND 2 AND "b" LIKE '%x'
duckdb postgres | a in (1, 2) => "a" IN (1, 2)
duckdb postgres | b is null => "b" IS NULL
duckdb postgres | t.a = 1 => "a" = 1
duckdb postgres | "Age" > 3 => "Age" > 3
duckdb postgres | AGE > 3 => "Age" > 3
duckdb postgres | b = 'it''s) union select 1; drop table t --' => "b" = 'it''s) union select 1; drop table t --'
duckdb postgres | a in (select a from u) => "a" IN (SELECT "a" FROM "u")
duckdb postgres | exists (select 1 from u where u.zz = 3) => EXISTS(SELECT 1 FROM "u" WHERE "u"."zz" = 3)
postgres | b ~ '^x' => "b" ~ '^x'
postgres | a in (select Zz from Other) => "a" IN (SELECT "zz" FROM "other")
bigquery | a in unnest([1, 2]) => `a` IN UNNEST([1, 2])
bigquery | b = 'it\'s' => `b` = 'it\'s'
""")

# Functions that act on the server, its files or other servers, run a text as SQL, or answer differently each time.
MORE_REFUSED = lines(r"""
postgres | select pg_logical_emit_message(false, 'a', 'b')
postgres | select pg_promote()
postgres | select pg_create_restore_point('x')
postgres | select pg_stat_reset()
postgres | select pg_drop_replication_slot('x')
postgres | select pg_create_physical_replication_slot('x')
postgres | select pg_backup_start('x')
postgres | select pg_export_snapshot()
postgres | select pg_log_backend_memory_contexts(1)
postgres | select pg_advisory_unlock_all()
postgres | select pg_file_write('x', 'y', true)
postgres | select pg_file_unlink('x')
postgres | select pg_stat_file('x')
postgres | select * from pg_ls_logdir()
postgres | select lo_open(1, 131072)
postgres | select lo_truncate(0, 0)
postgres | select query_to_xmlschema('delete from t', true, true, '')
postgres | select * from ts_stat('delete from t returning 1')
postgres | select * from crosstab('delete from t')
postgres | select array_shuffle(array[1, 2])
postgres | select array_sample(array[1, 2], 1)
postgres | select * from normal_rand(1, 0, 1)
duckdb | select * from postgres_query('db', 'delete from t')
duckdb | select * from postgres_execute('db', 'delete from t')
duckdb | select * from mysql_query('db', 'delete from t')
duckdb | select * from force_checkpoint()
duckdb | select write_log('x')
duckdb | select * from enable_logging()
duckdb | select * from truncate_duckdb_logs()
bigquery | select keys.new_keyset('AEAD_AES_GCM_256')
spark | select shuffle(array(1, 2))
spark | select monotonically_increasing_id()
spark | select reflect('java.lang.System', 'exit', 0)
spark | select java_method('java.lang.System', 'exit', 0)
spark | select transform(a) using 'cat' from t
""")

# Names that would come out as other names than the engine reads.
CASE_KEPT = lines(r"""
duckdb | select * from 'Data/File.parquet' => SELECT * FROM "Data/File.parquet"
duckdb | select * from "Data/File.parquet" => SELECT * FROM "Data/File.parquet"
postgres | select "MyFunction"(a) as m from t => SELECT "MyFunction"("a") AS "m" FROM "t"
bigquery | select MyData.MyFunction(a) as m from t => SELECT `MyData`.MyFunction(`a`) AS `m` FROM `t`
bigquery | select `MyProject.MyData.MyFunction`(a) as m from t => SELECT `MyProject.MyData.MyFunction`(`a`) AS `m` FROM `t`
""")


@pytest.mark.parametrize(("dialect", "sql"), REFUSED)
def test_query_is_refused(dialect, sql):
    with pytest.raises(RequestError, match="--query"):
        query(dialect, sql)


@pytest.mark.parametrize(("dialect", "sql"), REFUSED_CONDITIONS)
def test_condition_is_refused(dialect, sql):
    with pytest.raises(RequestError, match="--where"):
        condition(dialect, sql)


@pytest.mark.parametrize(("dialect", "sql", "expected"), ACCEPTED)
def test_query_is_written(dialect, sql, expected):
    assert query(dialect, sql) == (expected.replace('"', "`") if dialect == "spark" else expected)


@pytest.mark.parametrize(("dialect", "sql", "expected"), ACCEPTED_CONDITIONS)
def test_condition_is_written(dialect, sql, expected):
    assert condition(dialect, sql) == expected


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize("sql", ["", "   ", "\n", "("])
def test_empty_is_refused(dialect, sql):
    with pytest.raises(RequestError, match="--query"):
        query(dialect, sql)
    with pytest.raises(RequestError, match="--where"):
        condition(dialect, sql)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("with x as (delete from t returning *) select * from x", "would change something"),
        ("select * into x from t", "would write a table"),
        ("select * from t for update", "would lock rows"),
        ("select nextval('s')", "volatile function (nextval)"),
        ("select 1; select 2", "holds 2 statements"),
        ("select $1", "open parameter"),
        ("select from from", "not valid PostgreSQL SQL"),
    ],
)
def test_refusal_says_why(sql, said):
    with pytest.raises(RequestError) as caught:
        query("postgres", sql)
    assert said in str(caught.value)
    assert caught.value.exit_code == 2


def test_unknown_column_offers_the_nearest():
    with pytest.raises(RequestError, match="`agee` is not a column of t: did you mean `Age`"):
        condition("duckdb", "agee = 3")


def test_deep_nesting_is_refused_not_a_crash():
    deep = "(" * 3000 + "select 1" + ")" * 3000
    with pytest.raises(RequestError):
        query("duckdb", deep)
    with pytest.raises(RequestError):
        condition("duckdb", "(" * 3000 + "a = 1" + ")" * 3000)


def test_condition_does_not_change_its_columns():
    before = list(COLUMNS)
    condition("postgres", "AGE = 1")
    assert before == COLUMNS


@pytest.mark.parametrize(("dialect", "sql"), MORE_REFUSED)
def test_more_functions_are_refused(dialect, sql):
    with pytest.raises(RequestError, match="--query"):
        query(dialect, sql)


@pytest.mark.parametrize(("dialect", "sql", "expected"), CASE_KEPT)
def test_more_names_are_kept(dialect, sql, expected):
    assert query(dialect, sql) == expected


@pytest.mark.parametrize("sql", ["other.a = 1", "other.t.a = 1"])
def test_condition_on_another_table_is_refused(sql):
    with pytest.raises(RequestError, match="--where"):
        condition("duckdb", sql)
