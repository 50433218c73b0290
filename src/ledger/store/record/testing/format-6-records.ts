import type { TransactionRecord } from '../../../execution.ts';
import { makeRecord } from '../../../testing/make-record.ts';
import { SeededRandom } from '../../../testing/seeded-random.ts';
import { transferRecord } from './transfer-record.ts';

/** A record, and what a release of format 6 wrote of it, base64. */
interface Written {
  readonly what: string;
  readonly record: TransactionRecord;
  readonly bytes: string;
}

/** Recorded with the last release of that format. */
export const FORMAT_6_RECORDS: readonly Written[] = [
  {
    what: 'a token transfer',
    record: transferRecord(new SeededRandom('format 6')),
    bytes:
      'AQDTAQFfToBKnnST2yFKnTMZepodSdfVYT75hl2/jZEek01pKwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQABAwEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIG3fbh12Whk9nL4UbO63msHLSF7V9bN5E6jPWFfv8AqX+wvbt8jl6yjxfDvqKb9qyqXCCNmM7RROjRjmFZBIvgAQIBAQkAAAAAAAAAAACAiN6+ASiA5K2VDQAAAvfcg9HYp3Gutx5Kd7WY0cnybD5O4sVjlHZaQ2OhFOZDR/MnBmQDASpqpjGfFeil2Ufssijoh8pkzd+5vDld67KIJ9IJzgEE+KCvoCXwu3zwu3ywu5MCBI9OAAAAAgEDAAKAoJSljR0GAgMEAoCglKWNHQYCAYCS9AEB/5H0AQAEAQIBBghUcmFuc2ZlcgMCpSTAmgwCAg==',
  },
  {
    what: 'something in every member',
    record: makeRecord('format 6', { slot: 7, index: 3 }),
    bytes:
      'AQ/IAdiJXmPAvJHi6b9L0kJyA6gPwFx/pwFEeDOuQLs1P39e1C+zQ02Hxs7ijL9YGLJxAQuQRVu5bkP19SFgcxTcQJ44B0D3XLlEpkxa0K8X/VvVZku2wnlbHH8y7E7BmieRZ0yUnNFmm4wSoJV23g2z5gg9RpFh1WOtnANr2CI7jElkTdzQ7de0y2cVkPNnqmqjC4SQoTRUBqPqY53sEnDqj9L+89jfuwIvCe2+IDt/m0vgLgNXAZfx9NtfpzJk7RJKiT5x3ihnVV6i99yD0dinca63Hkp3tZjRyfJsPk7ixWOUdlpDY6EU5kNH8ycGZAMBKmqmMZ8V6KXZR+yyKOiHymTN37m8OV3rsgcDgOStlQ0Bf7C9u3yOXrKPF8O+opv2rKpcII2YztFE6NGOYVkEi+AAAQbd9uHXZaGT2cvhRs7reawctIXtX1s3kTqM9YV+/wCpAIgn0gnOAQL///////////8BAAL7//////////8DBAABAAEAAAH///////////8BBgEAAQECAAEJX06ASp50k9shAgEFD+KIhiB1bmljb2RlIHRvbwABASV7Ikluc3RydWN0aW9uRXJyb3IiOlswLHsiQ3VzdG9tIjo3fV19',
  },
];
