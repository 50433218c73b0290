import { addressOf } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';
import type { AccountField, DecodedAccount, FieldType } from '../answers.ts';

/** The fields of an account in the order of its bytes, which are known to be there. */
export class AccountForm {
  readonly #data: Uint8Array;
  readonly #view: DataView;
  readonly #fields: AccountField[] = [];

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#view = viewOf(data);
  }

  address(name: string, label: string, offset: number): this {
    return this.#add(name, label, {
      value: addressOf(this.#data.subarray(offset, offset + 32)),
      type: 'address',
      offset,
      length: 32,
    });
  }

  /** An address after a tag of `tagBytes`, which is 0 where there is none. */
  optionalAddress(name: string, label: string, offset: number, tagBytes: 1 | 4): this {
    const at = offset + tagBytes;
    const value = this.#data[offset] === 1 ? addressOf(this.#data.subarray(at, at + 32)) : null;
    return this.#add(name, label, { value, type: 'address', offset, length: tagBytes + 32 });
  }

  u64(name: string, label: string, offset: number, type: FieldType = 'amount'): this {
    return this.#add(name, label, {
      value: String(this.#view.getBigUint64(offset, true)),
      type,
      offset,
      length: 8,
    });
  }

  i64(name: string, label: string, offset: number): this {
    return this.#add(name, label, {
      value: String(this.#view.getBigInt64(offset, true)),
      type: 'count',
      offset,
      length: 8,
    });
  }

  u32(name: string, label: string, offset: number): this {
    return this.#add(name, label, {
      value: String(this.#view.getUint32(offset, true)),
      type: 'count',
      offset,
      length: 4,
    });
  }

  u8(name: string, label: string, offset: number): this {
    return this.#add(name, label, { value: String(this.#data[offset]), type: 'count', offset, length: 1 });
  }

  flag(name: string, label: string, offset: number, value: boolean): this {
    return this.#add(name, label, { value, type: 'flag', offset, length: 1 });
  }

  text(name: string, label: string, value: string, offset: number, length: number): this {
    return this.#add(name, label, { value, type: 'text', offset, length });
  }

  bytes(name: string, label: string, offset: number, length: number): this {
    const value = Buffer.from(this.#data.subarray(offset, offset + length)).toString('base64');
    return this.#add(name, label, { value, type: 'bytes', offset, length });
  }

  as(kind: string): DecodedAccount {
    return { kind, fields: this.#fields };
  }

  #add(name: string, label: string, what: Omit<AccountField, 'name' | 'label'>): this {
    this.#fields.push({ name, label, ...what });
    return this;
  }
}
