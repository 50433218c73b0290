import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, SYSVAR_OWNER } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { deriveProgramData, programAccounts } from '../genesis/program-accounts.ts';
import { GONE } from '../run/account-states.ts';
import { Accounts } from '../state/accounts.ts';
import { accountOf } from '../testing/make-account.ts';
import type { Engine } from './engine.ts';
import { LoadingEngine } from './loading-engine.ts';

const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const addresses = Array.from({ length: 9 }, (_, n) => at(n + 1));
const [a, b, c] = addresses as [Address, Address, Address];
const wallet = (lamports: bigint, bytes = 0): Account =>
  accountOf(SYSTEM_PROGRAM, new Uint8Array(bytes), lamports);
const TRANSACTION = { lookups: [] as const } as unknown as Transaction;

/** An engine that loads into one that only notes the lamports it was given for each address. */
function loading(limits = { count: 2, bytes: 100_000 }) {
  const accounts = new Accounts();
  const has = new Map<Address, bigint>();
  let during = new Map<Address, bigint>();
  const inner = {
    setAccount: (address: Address, { lamports }: Account) =>
      void (lamports === 0n ? has.delete(address) : has.set(address, lamports)),
    run: () => void (during = new Map(has)),
  } as unknown as Engine;
  const engine = new LoadingEngine(inner, (address) => accounts.get(address), limits);
  return {
    engine,
    accounts,
    has,
    run(...named: Address[]) {
      engine.run(TRANSACTION, new Uint8Array(32), named);
      return during;
    },
  };
}

describe('LoadingEngine', () => {
  it('loads an account when it is first named, with its state at that time', () => {
    const { accounts, has, run } = loading();
    accounts.set(a, wallet(1n));
    accounts.set(b, wallet(2n));
    expect(has.size).toBe(0);
    expect(run(a)).toEqual(new Map([[a, 1n]]));
  });

  it('passes accounts to the engine at once, so that a run sees accounts that the ledger does not have', () => {
    const { engine, accounts, run } = loading();
    accounts.set(a, wallet(1n));
    engine.setAccount(a, wallet(5n));
    expect(run(a)).toEqual(new Map([[a, 5n]]));
  });

  it('removes the least recently named accounts, and loads them again when they are named', () => {
    const { accounts, has, run } = loading();
    for (const [n, address] of addresses.entries()) accounts.set(address, wallet(BigInt(n + 1)));
    for (const address of addresses) run(address);
    expect(has.has(a)).toBe(false);
    expect(has.size).toBeLessThanOrEqual(6);
    accounts.set(a, wallet(100n));
    expect(run(a).get(a)).toBe(100n);
  });

  it('loads everything one transaction names, regardless of the limits', () => {
    const { accounts, run } = loading({ count: 1, bytes: 1_000 });
    for (const address of addresses) accounts.set(address, wallet(1n, 5_000));
    expect(run(...addresses).size).toBe(addresses.length);
  });

  it('never removes sysvars, which a run reads without naming them', () => {
    const { engine, accounts, has, run } = loading();
    engine.setAccount(c, accountOf(SYSVAR_OWNER, new Uint8Array(8)));
    for (const address of addresses.filter((each) => each !== c)) {
      accounts.set(address, wallet(1n));
      run(address);
    }
    expect(has.has(c)).toBe(true);
  });

  it('loads the ProgramData of a program before the program, when the program is first named', () => {
    const { accounts, has, run } = loading();
    for (const [address, account] of programAccounts(a, new Uint8Array(8))) accounts.set(address, account);
    expect(has.size).toBe(0);
    expect([...run(a).keys()]).toEqual([deriveProgramData(a), a]);
  });

  it('does not load a program without ProgramData', () => {
    const { accounts, run } = loading();
    const [, [, program]] = programAccounts(a, new Uint8Array(8));
    accounts.set(a, program);
    expect(run(a).size).toBe(0);
  });

  it('looks up an absent account once, until it is set', () => {
    const { engine, accounts, run } = loading();
    expect(run(a).size).toBe(0);
    accounts.set(a, wallet(3n));
    engine.setAccount(a, wallet(3n));
    expect(run(a).get(a)).toBe(3n);
    engine.setAccount(a, GONE);
    accounts.set(a, GONE);
    expect(run(a).size).toBe(0);
  });
});
