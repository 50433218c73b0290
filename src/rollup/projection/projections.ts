import type { Address } from '../../solana/address.ts';
import type { Projection } from './projection.ts';

/** All projections there are, found by any of their accounts. */
export class Projections {
  readonly #byAta = new Map<Address, Projection>();
  readonly #byEata = new Map<Address, Projection>();
  readonly #byRecord = new Map<Address, Projection>();
  readonly #byMint = new Map<Address, Set<Projection>>();

  add(projection: Projection): void {
    const { ata, eata, record, mint } = projection;
    this.#byAta.set(ata, projection);
    this.#byEata.set(eata, projection);
    this.#byRecord.set(record, projection);
    const ofMint = this.#byMint.get(mint);
    if (ofMint === undefined) this.#byMint.set(mint, new Set([projection]));
    else ofMint.add(projection);
  }

  remove(projection: Projection): void {
    const { ata, eata, record, mint } = projection;
    this.#byAta.delete(ata);
    this.#byEata.delete(eata);
    this.#byRecord.delete(record);
    const ofMint = this.#byMint.get(mint);
    if (ofMint?.delete(projection) === true && ofMint.size === 0) this.#byMint.delete(mint);
  }

  /** The projection whose ATA, eATA or delegation record this is. */
  at(address: Address): Projection | undefined {
    return this.#byAta.get(address) ?? this.#byEata.get(address) ?? this.#byRecord.get(address);
  }

  ofAta(address: Address): Projection | undefined {
    return this.#byAta.get(address);
  }

  ofEata(address: Address): Projection | undefined {
    return this.#byEata.get(address);
  }

  ofMint(mint: Address): Iterable<Projection> {
    return this.#byMint.get(mint) ?? [];
  }

  all(): Iterable<Projection> {
    return this.#byEata.values();
  }
}
