import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  VOTE_PROGRAM,
} from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { tryParse } from '../../solana/byte-reader.ts';
import {
  parseDelegationState,
  parseEphemeralTokenState,
  parseLookupTableState,
  parseNonceState,
  parsePermissionState,
  parseUpgradeableLoaderState,
} from './program-states.ts';
import { parseStakeState } from './stake-state.ts';
import { parseSysvarState } from './sysvar-state.ts';
import { parseTokenState } from './token-state.ts';
import { parseVoteState } from './vote-state.ts';

/** An account to parse. */
export interface AccountBytes {
  readonly address: Address;
  readonly data: Uint8Array;
  /** Finds other accounts its parsed form depends on. */
  readonly lookUp: (address: Address) => Account | null;
}

interface AccountParser {
  /** Agave's name of the program. */
  readonly program: string;
  /** @throws {Unparsable} */
  parse(account: AccountBytes): JsonOutput;
}

/** By owner. Agave does not know the last three programs; their names follow its style. */
const PARSERS: ReadonlyMap<Address, AccountParser> = new Map([
  [TOKEN_PROGRAM, { program: 'spl-token', parse: parseTokenState }],
  [TOKEN_2022_PROGRAM, { program: 'spl-token-2022', parse: parseTokenState }],
  [SYSTEM_PROGRAM, { program: 'nonce', parse: parseNonceState }],
  [ADDRESS_LOOKUP_TABLE_PROGRAM, { program: 'address-lookup-table', parse: parseLookupTableState }],
  [BPF_LOADER_UPGRADEABLE, { program: 'bpf-upgradeable-loader', parse: parseUpgradeableLoaderState }],
  [SYSVAR_OWNER, { program: 'sysvar', parse: parseSysvarState }],
  [STAKE_PROGRAM, { program: 'stake', parse: parseStakeState }],
  [VOTE_PROGRAM, { program: 'vote', parse: parseVoteState }],
  [DELEGATION_PROGRAM, { program: 'magicblock-delegation', parse: parseDelegationState }],
  [EPHEMERAL_TOKEN_PROGRAM, { program: 'magicblock-ephemeral-spl-token', parse: parseEphemeralTokenState }],
  [PERMISSION_PROGRAM, { program: 'magicblock-permission', parse: parsePermissionState }],
]);

/**
 * The `jsonParsed` form of an account's data (Agave `ParsedAccount`); undefined if the owner is unknown here
 * or the bytes are not in its program's format.
 */
export function showParsedAccount(
  address: Address,
  { owner, data }: Account,
  lookUp: AccountBytes['lookUp'],
): JsonOutputObject | undefined {
  const parser = PARSERS.get(owner);
  const parsed = parser && tryParse(() => parser.parse({ address, data, lookUp }));
  return parsed === undefined ? undefined : { parsed, program: parser?.program, space: data.length };
}
