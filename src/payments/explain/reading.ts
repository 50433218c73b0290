import type { FieldValue } from '../../programs/instruction-table/field-codec.ts';
import { EMPTY_TABLE_BYTES } from '../../programs/lookup-table.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import {
  type Call,
  type Context,
  type CreationEffect,
  type Form,
  type LamportEffect,
  type MatchedForm,
  roleAt,
  type TokenEffect,
} from './call.ts';
import type { ExplainedCall } from './explain-calls.ts';
import { feeDue } from './state/chain-facts.ts';

/** Context of a reading in addition to its own call. */
export interface Scene extends Context {
  /** Explains a call that another call makes or requests. */
  readonly inner: (call: Call) => ExplainedCall;
  readonly signers: ReadonlySet<Address>;
  readonly created: ReadonlyMap<Address, CreatedAccount>;
  readonly delegated: ReadonlySet<Address | null>;
}

/** A recognized call, with its accounts and fields accessible by name. */
export class Reading {
  readonly call: Call;
  readonly action: string;
  readonly scene: Scene;
  readonly #form: Form;
  readonly #fields: ReadonlyMap<string, FieldValue>;
  readonly #accounts = new Map<string, Address | null>();

  constructor(call: Call, { form, fields }: MatchedForm, scene: Scene) {
    this.call = call;
    this.action = form.action;
    this.#form = form;
    this.scene = scene;
    this.#fields = fields;
    for (const [index, { address }] of call.accounts.entries()) {
      const role = roleAt(form, index);
      if (!this.#accounts.has(role)) this.#accounts.set(role, address);
    }
  }

  /** Returns the rent for this data size, in lamports; null if no chain was read. */
  rent(dataBytes: number | bigint): bigint | null {
    return this.scene.rent?.minimum(dataBytes) ?? null;
  }

  /** Returns the account on chain: null if absent, undefined if it was not read. */
  accountOf(role: string): Account | null | undefined {
    const address = this.account(role);
    return address === null ? undefined : this.scene.accounts.get(address);
  }

  /** Returns the account's lamports before the transaction; null if it was not read. */
  lamportsOf(role: string): bigint | null {
    const account = this.accountOf(role);
    return account === undefined ? null : (account?.lamports ?? 0n);
  }

  /** Returns the address of the account; null if it is missing or hidden in a lookup table. */
  account(role: string): Address | null {
    return this.#accounts.get(role) ?? null;
  }

  signs(role: string): boolean {
    return this.hasSigner(this.account(role));
  }

  hasSigner(address: Address | null): boolean {
    return address !== null && this.scene.signers.has(address);
  }

  isOnlySigner(address: Address): boolean {
    return this.scene.signers.size === 1 && this.hasSigner(address);
  }

  /** Describes how the transaction itself creates the account; null if it does not. */
  creationOf(role: string): CreatedAccount | null {
    const address = this.account(role);
    return address === null ? null : (this.scene.created.get(address) ?? null);
  }

  name(role: string): string {
    const isOfTable = this.call.accounts.some(
      ({ entry }, at) => entry !== null && roleAt(this.#form, at) === role,
    );
    return this.account(role) ?? (isOfTable ? 'an account of an unread lookup table' : 'a sealed account');
  }

  field(name: string): FieldValue {
    return this.#fields.get(name) ?? null;
  }

  has(field: string): boolean {
    return this.#fields.has(field);
  }

  amount(field: string): bigint {
    return BigInt(this.#fields.get(field) as bigint | number);
  }

  number(field: string): number {
    return Number(this.#fields.get(field));
  }

  address(field: string): Address | null {
    return (this.#fields.get(field) as Address | null | undefined) ?? null;
  }

  text(field: string): string {
    return this.#fields.get(field) as string;
  }

  bytes(field: string): Uint8Array {
    return this.#fields.get(field) as Uint8Array;
  }

  tokens(field: string, mint: Address | null): string {
    return this.scene.book.tokens(this.amount(field), mint);
  }

  /** Returns the mint's fee for a transfer, in base units; the maximum if the epoch was not read. */
  withheld(amount: bigint, mint: Address | null): bigint {
    return feeDue(this.scene.accounts, mint, amount).withheld;
  }

  /** Formats {@link withheld} for the end of a sentence; empty if nothing is withheld. */
  withheldText(amount: bigint, mint: Address | null): string {
    const { withheld, isCertain } = feeDue(this.scene.accounts, mint, amount);
    if (withheld === 0n) return '';
    return `; ${isCertain ? '' : 'up to '}${this.scene.book.tokens(withheld, mint)} of that are withheld as fee`;
  }

  /** Returns the mint of a token account; null if unknown. */
  mintOf(role: string): Address | null {
    return this.scene.book.holding(this.account(role))?.mint ?? null;
  }

  /** Returns the owner of a token account or eATA; null if unknown. */
  ownerOf(role: string): Address | null {
    return this.scene.book.holding(this.account(role))?.owner ?? null;
  }

  /** Describes a token account, with its owner if known. */
  holder(role: string): string {
    const owner = this.ownerOf(role);
    return `token account ${this.name(role)}${owner === null ? '' : ` of ${owner}`}`;
  }
}

/** Builds the effect of a token account's gain or loss on the transaction's ledger. */
export function tokenEffect(
  reading: Reading,
  accountRole: string,
  change: bigint | null,
  known: Partial<Omit<TokenEffect, 'kind' | 'change'>> = {},
): TokenEffect {
  return {
    kind: 'tokens',
    account: reading.account(accountRole),
    owner: reading.ownerOf(accountRole),
    mint: reading.mintOf(accountRole),
    location: reading.scene.location,
    change,
    ...known,
  };
}

/** Builds the effect of a token transfer on one account. The mint's fee does not reach the recipient. */
export function transferEffect(
  reading: Reading,
  accountRole: string,
  change: bigint,
  known: { readonly mint: Address | null } & Partial<Omit<TokenEffect, 'kind' | 'change'>>,
): TokenEffect {
  const arrived = change > 0n ? change - reading.withheld(change, known.mint) : change;
  return tokenEffect(reading, accountRole, arrived, known);
}

/** Builds the effects of moving lamports between two accounts. Unknown accounts are left out. */
export function lamportEffects(from: Address | null, to: Address | null, lamports: bigint): LamportEffect[] {
  const effects: LamportEffect[] = [];
  if (from !== null) effects.push({ kind: 'lamports', address: from, change: -lamports });
  if (to !== null) effects.push({ kind: 'lamports', address: to, change: lamports });
  return effects;
}

/** Marks outgoing effects as signed for by the key in `role`; `lamports` is that key's own part. */
export const spentBy = (
  reading: Reading,
  role: string,
  effects: readonly LamportEffect[],
  lamports: bigint,
): LamportEffect[] => {
  const by = reading.account(role);
  return effects.map((effect) =>
    by === null || effect.change >= 0n ? effect : { ...effect, spent: { by, lamports } },
  );
};

/** Builds the effects of creating an account that may already exist. */
export function creationEffects(
  reading: Reading,
  role: string,
  what: string,
  lamports: bigint | null,
  payerRole = 'payer',
): CreationEffect[] {
  const address = reading.account(role);
  const payer = reading.account(payerRole);
  if (address === null || payer === null) return [];
  return [{ kind: 'creation', address, what, payer, lamports, onlyIfMissing: true }];
}

/** An account created by an instruction of the transaction. */
export interface CreatedAccount {
  readonly payer: Address | null;
  /** Data size, in bytes. */
  readonly space: bigint;
  /** The owner of a token account, or the authority of a nonce or lookup table; null if none is set. */
  readonly holder: Address | null;
}

/** Actions that create an account directly. */
export const CREATING = new Set(['createAccount', 'createAccountWithSeed']);

/**
 * Finds the accounts that a transaction creates. An account that an earlier instruction names does not count,
 * because it may be a wallet that is emptied and then assigned to a program.
 */
export function createdAccounts(readings: readonly Reading[]): Map<Address, CreatedAccount> {
  const holders = new Map<Address, Address>();
  for (const reading of readings) {
    const holding = initializedHolding(reading);
    if (holding !== null && !holders.has(holding.account)) holders.set(holding.account, holding.holder);
  }
  const created = new Map<Address, CreatedAccount>();
  const seen = new Set<Address | null>();
  for (const reading of readings) {
    const account = reading.account('account');
    if (CREATING.has(reading.action) && account !== null && !seen.has(account)) {
      created.set(account, {
        payer: reading.account('payer'),
        space: reading.amount('space'),
        holder: holders.get(account) ?? null,
      });
    }
    const table = reading.account('lookupTable');
    if (reading.action === 'createLookupTable' && table !== null && !seen.has(table)) {
      created.set(table, {
        payer: reading.account('payer'),
        space: BigInt(EMPTY_TABLE_BYTES),
        holder: reading.account('authority'),
      });
    }
    for (const { address } of reading.call.accounts) seen.add(address);
  }
  return created;
}

/** Returns the holder that an instruction sets, with a token account's mint; otherwise null. */
export function initializedHolding(
  reading: Reading,
): { readonly account: Address; readonly holder: Address; readonly mint: Address | null } | null {
  switch (reading.action) {
    case 'initializeAccount':
      return holdingOf(
        reading.account('account'),
        reading.address('owner') ?? reading.account('owner'),
        reading.account('mint'),
      );
    case 'initializeNonce':
      return holdingOf(reading.account('nonceAccount'), reading.address('authority'), null);
    default:
      return null;
  }
}

const holdingOf = (account: Address | null, holder: Address | null, mint: Address | null) =>
  account === null || holder === null ? null : { account, holder, mint };
