import type { Keypair } from '../../../src/ledger/keypair.ts';
import { NATIVE_MINT } from '../../../src/programs/addresses.ts';
import type { LayoutBScene } from '../../../src/rollup/testing/layout-b-scene.ts';
import type { Address } from '../../../src/solana/address.ts';

/** An expected balance, in base units. */
export interface Pot {
  units: bigint;
}

/** The balances of a wallet for one mint. */
export interface Purse {
  readonly wallet: Keypair;
  /** Balance of its ATA on base. For SOL, the lamports of the wallet and its ATA. */
  readonly base: Pot;
  /** Balance of its eATA, wherever it is. */
  readonly inside: Pot;
}

/** A passive payee: a wallet, or all keys of a stealth pool. */
interface Payee {
  readonly addresses: Address[];
  readonly base: Pot;
}

/** An undelegated shuttle with tokens. */
export interface Stranded {
  readonly purse: Purse;
  readonly shuttle: ReturnType<LayoutBScene['shuttleOf']>;
  readonly units: bigint;
}

/** One mint with its holders and their expected balances. */
export class Room {
  scene: LayoutBScene;
  readonly purses: Purse[] = [];
  readonly payees: Payee[] = [];
  readonly stranded: Stranded[] = [];
  /** Fees of private payments. */
  readonly fees: Pot = { units: 0n };
  /** The owner of the frozen token account; null for SOL. */
  frozen: Address | null = null;
  /** The stealth pool and its keys; null if there is none. */
  pool: { readonly address: Address; readonly payee: Payee } | null = null;

  constructor(scene: LayoutBScene) {
    this.scene = scene;
  }

  get isNative(): boolean {
    return this.scene.mint === NATIVE_MINT;
  }

  /** Adds a passive payee. */
  addPayee(address: Address): Pot {
    const base = { units: this.unitsOnBase(address) };
    this.payees.push({ addresses: [address], base });
    return base;
  }

  /** Adds a stealth pool as a payee. Keys may be added later. */
  openPool(address: Address, keys: Address[]): void {
    const payee = { addresses: keys, base: { units: 0n } };
    this.payees.push(payee);
    this.pool = { address, payee };
  }

  /** Returns the balance of an owner on base. */
  unitsOnBase(owner: Address): bigint {
    const { base } = this.scene;
    if (!this.isNative) return this.scene.tokens(base, owner) ?? 0n;
    const lamportsOf = (address: Address): bigint => base.getAccount(address)?.lamports ?? 0n;
    return lamportsOf(owner) + lamportsOf(this.scene.ataOf(owner));
  }

  isOnRollup({ wallet }: Purse): boolean {
    const { rollup } = this.scene;
    const { isDelegated, isUndelegating } = rollup.delegationStatus(this.scene.eataOf(wallet.address));
    return isDelegated && !isUndelegating;
  }

  /** Describes each difference between the idle ledgers and the expected balances. */
  differences(): string[] {
    const { scene, purses, payees, fees } = this;
    const found: string[] = [];
    const compare = (what: string, is: bigint | null, expected: bigint): void => {
      if (is !== expected) found.push(`${what} of ${scene.mint}: ${is} instead of ${expected}`);
    };
    for (const [index, purse] of purses.entries()) {
      const { address } = purse.wallet;
      compare(`purse ${index} on base`, this.unitsOnBase(address), purse.base.units);
      const ofEata = scene.eataTokens(scene.base, address) ?? 0n;
      const inside = this.isOnRollup(purse) ? scene.tokens(scene.rollup, address) : ofEata;
      compare(`purse ${index} inside`, inside, purse.inside.units);
    }
    for (const [index, { addresses, base }] of payees.entries()) {
      const units = addresses.reduce((sum, address) => sum + this.unitsOnBase(address), 0n);
      compare(`payee ${index}`, units, base.units);
    }
    if (this.frozen !== null) compare('the frozen account', this.unitsOnBase(this.frozen), 1n);
    compare('the queue', scene.tokens(scene.rollup, scene.queue), fees.units);
    const inside = purses.reduce((sum, purse) => sum + purse.inside.units, 0n);
    compare('the vault', scene.vaultTokens(), inside + fees.units);
    return found;
  }
}
