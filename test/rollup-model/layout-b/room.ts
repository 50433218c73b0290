import type { Keypair } from '../../../src/ledger/keypair.ts';
import { NATIVE_MINT } from '../../../src/programs/addresses.ts';
import type { LayoutBScene } from '../../../src/rollup/testing/layout-b-scene.ts';
import type { Address } from '../../../src/solana/address.ts';

/** Base units that are to be somewhere, by what has landed. */
export interface Pot {
  units: bigint;
}

/** What a wallet has of one mint. */
export interface Purse {
  readonly wallet: Keypair;
  /** In its ATA on base; of SOL, the lamports of the wallet and of its ATA. */
  readonly base: Pot;
  /** In its eATA, wherever that is. */
  readonly inside: Pot;
}

/** Somebody who is paid and does nothing: a wallet, or the keys of a stealth pool together. */
interface Payee {
  readonly addresses: Address[];
  readonly base: Pot;
}

/** A shuttle that nobody delegated, with tokens in it. */
export interface Stranded {
  readonly purse: Purse;
  readonly shuttle: ReturnType<LayoutBScene['shuttleOf']>;
  readonly units: bigint;
}

/** One mint: everybody who has something of it, and what that is to be. */
export class Room {
  scene: LayoutBScene;
  readonly purses: Purse[] = [];
  readonly payees: Payee[] = [];
  readonly stranded: Stranded[] = [];
  /** What the queue keeps of private payments. */
  readonly fees: Pot = { units: 0n };
  /** Whose token account is frozen; null of SOL, which cannot be. */
  frozen: Address | null = null;
  /** The pool payments can be made to, and its keys; null where there is none. */
  pool: { readonly address: Address; readonly payee: Payee } | null = null;

  constructor(scene: LayoutBScene) {
    this.scene = scene;
  }

  get isNative(): boolean {
    return this.scene.mint === NATIVE_MINT;
  }

  /** Adds somebody who is only paid. */
  addPayee(address: Address): Pot {
    const base = { units: this.unitsOnBase(address) };
    this.payees.push({ addresses: [address], base });
    return base;
  }

  /** Has payments go to a stealth pool, too; keys may be added to it. */
  openPool(address: Address, keys: Address[]): void {
    const payee = { addresses: keys, base: { units: 0n } };
    this.payees.push(payee);
    this.pool = { address, payee };
  }

  /** What an owner has on base. */
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

  /** Where the ledgers, which are at rest, are not as they are to be: a sentence for each number. */
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
