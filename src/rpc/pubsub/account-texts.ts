import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { showAccount, type AccountEncoding } from '../accounts/account-encoding.ts';
import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';

/** Most bytes of base58, and what Agave's `encode_bs58` writes for more: a notification cannot be refused. */
const BASE58_BYTES_MAX = 128;
const TOO_LARGE = 'error: data too large for bs58 encoding';

/**
 * The accounts of one happening as JSON text. Each is written once per encoding, however many subscribers
 * want it.
 */
export class AccountTexts {
  readonly #lookUp: (address: Address) => Account | null;
  readonly #written = new Map<Account, Map<string, string>>();

  /** @param lookUp finds other accounts that parsers need, as in `AccountView`. */
  constructor(lookUp: (address: Address) => Account | null) {
    this.#lookUp = lookUp;
  }

  /** An account (Agave `UiAccount`) with its members in declaration order, as in notifications. */
  write(address: Address, account: Account, encoding: AccountEncoding): string {
    const form = `${encoding}/${address}`;
    let texts = this.#written.get(account);
    if (texts === undefined) this.#written.set(account, (texts = new Map()));
    let text = texts.get(form);
    if (text === undefined) texts.set(form, (text = this.#write(address, account, encoding)));
    return text;
  }

  /** Whether `jsonParsed` has a parsed form for an account and does not fall back to its bytes. */
  isParsed(address: Address, account: Account): boolean {
    return !Array.isArray(this.#showData(address, account, 'jsonParsed'));
  }

  #write(address: Address, account: Account, encoding: AccountEncoding): string {
    const { lamports, owner, executable, rentEpoch } = account;
    const data = this.#showData(address, account, encoding);
    return writeJson({ lamports, data, owner, executable, rentEpoch, space: account.data.length });
  }

  #showData(address: Address, account: Account, encoding: AccountEncoding): JsonOutput | undefined {
    if (account.data.length > BASE58_BYTES_MAX) {
      if (encoding === 'binary') return TOO_LARGE;
      if (encoding === 'base58') return [TOO_LARGE, encoding];
    }
    const { data } = showAccount(address, account, { encoding, lookUp: this.#lookUp });
    if (encoding !== 'jsonParsed' || Array.isArray(data)) return data;
    const { program, parsed, space } = data as JsonOutputObject;
    return { program, parsed, space };
  }
}
