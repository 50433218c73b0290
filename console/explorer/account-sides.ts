import type { AccountInWords } from '../../src/console/answers.ts';
import type { Ledger, Reader, Viewpoint } from '../parts/reader.ts';
import { postJson } from '../parts/service-api.ts';

/** One side of an account: what a ledger answered, and what its bytes say. */
export interface Side {
  readonly account: AccountInfo;
  readonly decoded: AccountInWords;
  /** The slot the answer is of. */
  readonly slot: number;
}

/** An account as one reader sees it, on both ledgers. */
export interface BothSides {
  readonly base: Side | null;
  readonly rollup: Side | null;
}

/** What is drawn of an account that is looked for on one ledger. */
interface Drawn {
  /** What that ledger answered; null if it has no such account for this reader. */
  readonly side: Side | null;
  /** In its absence, what the other ledger answered: it is named, and never drawn as if it were the first. */
  readonly elsewhere: { readonly ledger: Ledger; readonly side: Side } | null;
}

/** Asks the ledgers that a reader sees for an account. */
export async function askSides(address: string, reader: Reader): Promise<BothSides> {
  const [base = null, rollup = null] = await Promise.all(
    reader.ledgers.map((ledger) => sideOf(ledger, address, reader)),
  );
  return { base, rollup };
}

/** One ledger's answer stands for that ledger alone: unknown on base what an account is on the rollup. */
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
 * What is said of an account that a ledger does not have for this reader: a title, and what follows.
 *
 * @param elsewhere the other ledger, where that has it.
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
  const hidden = 'It may be private, or not exist. Without a token there is no difference.';
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

/** An account as `getAccountInfo` with base64 has it. */
interface AccountInfo {
  readonly data: readonly [string, string];
  readonly owner: string;
  readonly lamports: number | bigint;
  readonly executable: boolean;
  readonly space?: number;
}

/** Reads the bytes that a reader already has, and says what the service's own layouts say of them. */
async function decodeAccount(address: string, account: AccountInfo): Promise<AccountInWords> {
  const unknown = { kind: 'unknown', title: 'Account', bytes: atob(account.data[0]).length } as const;
  const accounts = [{ address, owner: account.owner, data: account.data[0] }];
  try {
    const [decoded] = await postJson<readonly AccountInWords[]>('/console/api/decode', accounts);
    return decoded ?? unknown;
  } catch {
    // The account itself is known: what cannot be decoded is said to be so, as it is for unknown bytes.
    return unknown;
  }
}

/** A field by its name, as text; undefined where there is none. */
export function fieldOf(decoded: AccountInWords, name: string): string | undefined {
  if (!('fields' in decoded)) return undefined;
  return decoded.fields.find((field) => field.name === name)?.value ?? undefined;
}
