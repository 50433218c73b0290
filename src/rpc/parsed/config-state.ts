import type { JsonOutput, JsonOutputObject, JsonValue } from '../../json/json-value.ts';
import { JsonSyntaxError, readJson } from '../../json/read-json.ts';
import { quote } from '../../json/write-json.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import { sortMembers } from './sort-members.ts';
import type { AccountBytes } from './parse-account.ts';

/** The first key of a config account with validator info (Agave `validator_info::id`). */
const VALIDATOR_INFO = 'Va1idator1nfo111111111111111111111111111111';

/**
 * Validator info, an account of the Config program, as Agave shows it (`parse_config`): a compact count of
 * keys, each with a flag, then a bincode string of JSON.
 *
 * @throws {Unparsable} also for any other config account.
 */
export function parseConfigState({ data }: AccountBytes): JsonOutput {
  const reader = new ByteReader(data);
  const keys = Array.from({ length: reader.compactU16() }, () => ({
    pubkey: reader.address(),
    signer: reader.bool(),
  }));
  if (keys[0]?.pubkey !== VALIDATOR_INFO) throw new Unparsable('no validator info');
  return { info: { configData: parseJson(reader.string()), keys }, type: 'validatorInfo' };
}

function parseJson(text: string): JsonOutput {
  try {
    return toOutput(readJson(text).value);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Unparsable('not JSON');
    throw error;
  }
}

/** Converts parsed JSON to output. Member names come from the chain, so they are escaped here. */
function toOutput(value: JsonValue): JsonOutput {
  if (value instanceof Map) {
    const members: [string, JsonOutput][] = [];
    for (const [name, member] of value) members.push([quote(name).slice(1, -1), toOutput(member)]);
    return sortMembers(Object.fromEntries(members) as JsonOutputObject);
  }
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(toOutput) : (value as JsonOutput);
}
