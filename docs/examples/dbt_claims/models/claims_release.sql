select
  sex,
  age,
  zip,
  diagnosis
from {{ ref('claims') }}
