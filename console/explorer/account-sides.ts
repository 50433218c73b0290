import type { AccountInWords } from '../../src/console/answers.ts';
import type { Ledger, Reader, Viewpoint } from '../parts/reader.ts';
import { postJson } from '../parts/service-api.ts';

/** An account on one ledger, with its decoded data. */
export interface Side {
  readonly account: AccountInfo;
  readonly decoded: AccountInWords;
  /** The slot of the answer. */
  readonly slot: number;
}

/** An account as one reader sees it, on both ledgers. */
export interface BothSides {
  readonly base: Side | null;
  readonly rollup: Side | null;
}

/** The account that a view of one ledger shows. */
interface Drawn {
  /** The account on that ledger; null if this reader cannot see it there. */
  readonly side: Side | null;
  /** The account on the other ledger if `side` is null. The view says which ledger it is on. */
  readonly elsewhere: { readonly ledger: Ledger; readonly side: Side } | null;
}

/** Reads an account from every ledger that the reader sees. */
export async function askSides(address: string, reader: Reader): Promise<BothSides> {
  const [base = null, rollup = null] = await Promise.all(
    reader.ledgers.map((ledger) => sideOf(ledger, address, reader)),
  );
  return { base, rollup };
}

/** Selects what the view of one ledger shows. */
export function drawnOf(ledger: Ledger, sides: BothSides): Drawn {
  const side = sides[ledger];
  const other = ledger === 'base' ? 'rollup' : 'base';
  const otherSide = sides[other];
  return {
    side,
    elsewhere: side === null && otherSide !== null ? { ledger: other, side: otherSide } : null,
  };
}

/**
 * The title and text for an account that this reader cannot see on a ledger.
 *
 * @param elsewhere the other ledger if it has the account.
 */
export function absentWords(
  ledger: Ledger,
  as: Viewpoint,
  elsewhere: Ledger | null,
): readonly [title: string, text: string] {
  if (as === 'base') {
    return ledger === 'rollup'
      ? ['Nothing', 'The base ledger does not show accounts on the rollup.']
      : ['No account on the base ledger', 'There is nothing at this address.'];
  }
  const hidden = 'It may be private or nonexistent. Without a token, both look the same.';
  if (elsewhere === null) return ['No account on either ledger', hidden];
  return ledger === 'rollup'
    ? ['No account on the rollup', hidden]
    : ['No account on the base ledger', 'It exists on the rollup only.'];
}

async function sideOf(ledger: Ledger, address: string, reader: Reader): Promise<Side | null> {
  const { context, value } = await reader.call<{
    readonly context: { readonly slot: number };
    readonly value: AccountInfo | null;
  }>(ledger, 'getAccountInfo', [address, { encoding: 'base64', commitment: 'confirmed' }]);
  if (value === null) return null;
  return { account: value, decoded: await decodeAccount(address, value), slot: context.slot };
}

/** An account in a `getAccountInfo` response with base64 data. */
interface AccountInfo {
  readonly data: readonly [string, string];
  readonly owner: string;
  readonly lamports: number | bigint;
  readonly executable: boolean;
  readonly space?: number;
}

/** Decodes account data. The service knows the layouts. */
async function decodeAccount(address: string, account: AccountInfo): Promise<AccountInWords> {
  const unknown = { kind: 'unknown', title: 'Account', bytes: atob(account.data[0]).length } as const;
  const accounts = [{ address, owner: account.owner, data: account.data[0] }];
  try {
    const [decoded] = await postJson<readonly AccountInWords[]>('/console/api/decode', accounts);
    return decoded ?? unknown;
  } catch {
    // The account is still shown, as not decoded.
    return unknown;
  }
}

/** The text of a field; undefined if there is none. */
export function fieldOf(decoded: AccountInWords, name: string): string | undefined {
  if (!('fields' in decoded)) return undefined;
  return decoded.fields.find((field) => field.name === name)?.value ?? undefined;
}
