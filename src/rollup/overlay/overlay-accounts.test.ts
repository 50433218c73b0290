import { describe, expect, it } from 'vitest';
import { assertSettable } from '../../ledger/assert-settable.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { Accounts } from '../../ledger/state/accounts.ts';
import { accountOf, tokenAccount } from '../../ledger/testing/make-account.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { OverlayAccounts } from './overlay.ts';

const random = new SeededRandom('overlay');
const [a, b, c, alice, program, other] = Array.from({ length: 6 }, () => addressOf(random.bytes(32))) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const tokens = (amount: bigint) => tokenAccount({ mint: USDC_MINT, owner: alice }, amount);

/** `a` is only on base, `b` is on both, `c` is only the overlay's own. */
function overlaid() {
  const base = new Accounts();
  base.set(a, tokens(1n));
  base.set(b, tokens(50n));
  const noted: Address[] = [];
  const overlay = new OverlayAccounts(() => base, [{ noteAccount: (address) => noted.push(address) }]);
  overlay.set(b, tokens(2n));
  overlay.set(c, tokens(3n));
  return { base, overlay, noted };
}

const amountsOf = (entries: Iterable<readonly [Address, { data: Uint8Array }]>) =>
  new Map([...entries].map(([address, { data }]) => [address, data[64]]));
const ALL = new Map([
  [a, 1],
  [b, 2],
  [c, 3],
]);

describe('OverlayAccounts', () => {
  it('shows its own accounts in place of those of base in every query', () => {
    const { overlay } = overlaid();
    const query = { holder: 'owner', address: alice, program: TOKEN_PROGRAM } as const;
    expect(overlay.get(b)?.data[64]).toBe(2);
    expect(amountsOf(overlay.entries())).toEqual(ALL);
    expect(amountsOf(overlay.ownedBy(TOKEN_PROGRAM))).toEqual(ALL);
    expect(amountsOf(overlay.tokenAccounts(query))).toEqual(ALL);
    expect(new Set(overlay.tokenAccountsOf(USDC_MINT))).toEqual(new Set([a, b, c]));
    const ofMint = { holder: 'mint', address: USDC_MINT, program: TOKEN_PROGRAM } as const;
    expect(amountsOf(overlay.tokenAccounts(ofMint))).toEqual(ALL);
    expect(overlay.tokenKeysAt(a)).toEqual({ mint: USDC_MINT, owner: alice, delegate: null });
  });

  it('shows runtime accounts in place of own ones and those of base, and counts them once', () => {
    const base = new Accounts();
    const runtime = accountOf(program, new Uint8Array(3));
    base.set(a, tokens(1n));
    base.set(b, tokens(50n));
    const overlay = new OverlayAccounts(
      () => base,
      [{ noteAccount: () => {} }],
      [
        [a, runtime],
        [c, runtime],
        [other, runtime],
      ],
    );
    overlay.set(b, tokens(2n));
    overlay.set(c, tokens(3n));
    expect([a, c, other].map((address) => overlay.get(address))).toEqual([runtime, runtime, runtime]);
    expect(new Map(overlay.entries())).toEqual(
      new Map([
        [a, runtime],
        [b, tokens(2n)],
        [c, runtime],
        [other, runtime],
      ]),
    );
    expect([...overlay.tokenAccountsOf(USDC_MINT)]).toEqual([b]);
    expect(new Map(overlay.ownedBy(program)).size).toBe(3);
    expect(overlay.size).toBe(4);
    expect(overlay.totalLamports).toBe(runtime.lamports * 3n + tokens(2n).lamports);
    expect(overlay.own.get(c)).toEqual(tokens(3n));
  });

  it('counts every account and every lamport once', () => {
    const { overlay, base } = overlaid();
    expect(overlay.size).toBe(3);
    expect(overlay.totalLamports).toBe(3n * (base.get(a)?.lamports as bigint));
  });

  it('reports the lamports of visible accounts as the upper bound', () => {
    const { overlay, base } = overlaid();
    expect(overlay.lamportsCeiling).toBe(overlay.totalLamports + (base.get(b)?.lamports as bigint));
    const left = 2n ** 64n - 1n - overlay.totalLamports;
    const rich = (lamports: bigint): [Address, Account] => [
      other,
      accountOf(program, new Uint8Array(0), lamports),
    ];
    expect(() => assertSettable([rich(left)], overlay)).not.toThrow();
    expect(() => assertSettable([rich(left + 1n)], overlay)).toThrow('the total of all lamports');
  });

  it('shows base again after its own account is deleted', () => {
    const { overlay } = overlaid();
    overlay.set(b, GONE);
    overlay.set(c, GONE);
    expect(amountsOf(overlay.entries())).toEqual(
      new Map([
        [a, 1],
        [b, 50],
      ]),
    );
    expect(overlay.get(c)).toBeUndefined();
  });

  it('lists an account by its owner here if base has it under another program', () => {
    const { overlay, base } = overlaid();
    base.set(c, accountOf(other, Uint8Array.of(1)));
    overlay.set(a, accountOf(program, Uint8Array.of(2)));
    expect([...overlay.ownedBy(other)]).toEqual([]);
    expect([...overlay.ownedBy(program)].map(([address]) => address)).toEqual([a]);
    expect([...overlay.tokenAccountsOf(USDC_MINT)]).not.toContain(a);
    expect(overlay.tokenKeysAt(a)).toBeNull();
  });

  it('follows base without notifications', () => {
    const { overlay, base } = overlaid();
    base.set(a, tokens(9n));
    expect(overlay.get(a)?.data[64]).toBe(9);
    expect(amountsOf(overlay.entries()).get(a)).toBe(9);
  });

  it('notifies observers of every account that is set', () => {
    expect(overlaid().noted).toEqual([b, c]);
  });
});
