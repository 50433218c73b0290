import type { AccountInWords } from '../../src/console/answers.ts';
import { postJson } from '../parts/service-api.ts';

/** An account as `getAccountInfo` with base64 has it. */
export interface AccountInfo {
  readonly data: readonly [string, string];
  readonly owner: string;
  readonly lamports: number | bigint;
  readonly executable: boolean;
  readonly space?: number;
}

/** Reads the bytes that a reader already has, and says what the service's own layouts say of them. */
export async function decodeAccount(address: string, account: AccountInfo): Promise<AccountInWords> {
  const unknown = { kind: 'unknown', title: 'Account', bytes: atob(account.data[0]).length } as const;
  const asked = [{ address, owner: account.owner, data: account.data[0] }];
  try {
    const [decoded] = await postJson<readonly AccountInWords[]>('/console/api/decode', asked);
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
