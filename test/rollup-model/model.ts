/** The place of an eATA: missing, on base, moving to the rollup, on the rollup, or moving back. */
type Place = 'none' | 'base' | 'arriving' | 'rollup' | 'leaving';

/** The balances of a wallet for one mint. */
interface Holding {
  place: Place;
  /** Base units in the ATA on base. */
  ata: bigint;
  /** Base units in the eATA, wherever it is. */
  held: bigint;
  /** Undelegations that were accepted. */
  undelegations: number;
}

/** An attempted action. `of` and `to` are indices of holdings; a transfer's holdings have the same mint. */
export type Action =
  | { readonly kind: 'deposit'; readonly of: number; readonly amount: bigint; readonly delegates: boolean }
  | { readonly kind: 'withdraw'; readonly of: number; readonly amount: bigint }
  | { readonly kind: 'transfer'; readonly of: number; readonly to: number; readonly amount: bigint }
  | { readonly kind: 'undelegate'; readonly of: number }
  /** An action that someone other than the owner requests. */
  | { readonly kind: 'theft'; readonly of: number; readonly by: number };

/** A model of all balances and their allowed changes. */
export class Model {
  readonly holdings: Holding[];

  constructor(holdings: readonly Holding[]) {
    this.holdings = holdings.map((holding) => ({ ...holding }));
  }

  clone(): Model {
    return new Model(this.holdings);
  }

  at(index: number): Holding {
    return this.holdings[index] as Holding;
  }

  allows(action: Action): boolean {
    const { place, ata, held } = this.at(action.of);
    switch (action.kind) {
      case 'deposit':
        return (place === 'none' || place === 'base') && action.amount <= ata;
      case 'withdraw':
        return place === 'base' && action.amount <= held;
      case 'transfer':
        return place === 'rollup' && this.at(action.to).place === 'rollup' && action.amount <= held;
      case 'undelegate':
        return place === 'rollup';
      case 'theft':
        return false;
    }
  }

  /** Applies an action. @throws {Error} if it is not allowed. */
  apply(action: Action): void {
    if (!this.allows(action)) throw new Error(`${action.kind} must not happen to ${String(action.of)}`);
    const of = this.at(action.of);
    switch (action.kind) {
      case 'deposit':
        of.ata -= action.amount;
        of.held += action.amount;
        of.place = action.delegates ? 'arriving' : 'base';
        break;
      case 'withdraw':
        of.held -= action.amount;
        of.ata += action.amount;
        break;
      case 'transfer':
        of.held -= action.amount;
        this.at(action.to).held += action.amount;
        break;
      case 'undelegate':
        of.place = 'leaving';
        of.undelegations++;
        break;
      case 'theft':
        break;
    }
  }
}
