import type { AccountReads } from '../../ledger/ledger.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Reader } from './guard.ts';
import type { Guards } from './guards.ts';
import type { HistoryNames } from './history-names.ts';
import { isPublicParty } from './public-party.ts';

/** What it takes to say where a reader may look. */
interface HistoryLookup {
  readonly ledger: Pick<AccountReads, 'getAccount' | 'tokenAccounts'>;
  readonly guards: Guards;
  readonly names: HistoryNames;
}

/**
 * The names under which a reader looks for the history of an address: the address itself, where everybody
 * looks, and concealed names of accounts whose transactions are theirs to see. So what it costs to look
 * depends on nothing they may not see. Under the latter there are transactions that do not name the address
 * as well.
 */
export function historySources(address: Address, reader: Reader, lookup: HistoryLookup): readonly Address[] {
  if (reader === null) return [address];
  const { names } = lookup;
  if (isTheirs(address, reader, lookup)) return [address, names.concealed(address)];
  return [address, ...Array.from(addressesOf(reader, lookup), (each) => names.concealed(each))];
}

/** Whether every transaction that names an address is a reader's to see. */
function isTheirs(address: Address, reader: Address, { guards, ledger }: HistoryLookup): boolean {
  const isParty = isPublicParty(reader, [address], guards, ledger);
  return guards.get(address)?.allows(reader, 'message') ?? isParty;
}

/** The addresses whose transactions are a reader's to see; one that they signed names their wallet. */
function addressesOf(reader: Address, { guards, ledger }: HistoryLookup): ReadonlySet<Address> {
  const found = new Set([reader]);
  for (const [address, guard] of guards.entries()) if (guard.allows(reader, 'message')) found.add(address);
  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [address, { data }] of ledger.tokenAccounts({ holder: 'owner', address: reader, program })) {
      found.add(address);
      const mint = decodeTokenAccount(data)?.mint;
      if (mint !== undefined) found.add(deriveEata(reader, mint).address);
    }
  }
  // What is private and not opened to them above is not theirs, whoever holds its tokens.
  for (const address of found) {
    if (address !== reader && guards.get(address)?.allows(reader, 'message') === false) found.delete(address);
  }
  return found;
}
