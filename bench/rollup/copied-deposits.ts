import type { Account } from '../../src/solana/account.ts';
import { addressBytes, addressOf, type Address } from '../../src/solana/address.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { accountsOf, type RollupScene } from '../../src/rollup/testing/rollup-scene.ts';

/** Depositors put in place at a time. */
const AT_ONCE = 500;

/**
 * Puts so many depositors in place whose accounts are what a real deposit left of another wallet, with their
 * own addresses in them; each has deposited what that wallet had.
 * The vault is given what they claim.
 *
 * @param model a wallet that has deposited all of `amount`, base units.
 * @param other another that has, which the copy for its address is compared with.
 * @throws {Error} where the copy is not what the real deposit left, or the rollup does not show a depositor.
 */
export async function putDepositors(
  scene: RollupScene,
  { model, other, amount }: { readonly model: Address; readonly other: Address; readonly amount: bigint },
  count: number,
): Promise<void> {
  assertSame(copyDeposit(scene, model, other), depositOf(scene, other));
  const owners = Array.from({ length: count }, () => addressOf(scene.random.bytes(32)));
  await scene.base.airdropTokens(accountsOf(model).vault, USDC_MINT, amount * BigInt(count));
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = owners.slice(at, at + AT_ONCE);
    await scene.base.setAccounts(some.flatMap((owner) => copyDeposit(scene, model, owner)));
  }
  await scene.rollup.settled();
  const unseen = owners.find((owner) => scene.tokens(scene.rollup, owner) !== amount);
  if (unseen !== undefined) throw new Error(`the rollup does not show what ${unseen} has deposited`);
}

type Entry = readonly [Address, Account];

/** The accounts that a deposit leaves of a wallet, its own among them. */
function depositOf({ base }: RollupScene, wallet: Address): Entry[] {
  return addressesOf(wallet).flatMap((address): Entry[] => {
    const account = base.getAccount(address);
    return account === null ? [] : [[address, account]];
  });
}

function addressesOf(wallet: Address): readonly Address[] {
  const { owner, ownerAta, eata, delegation } = accountsOf(wallet);
  return [owner, ownerAta, eata, ...Object.values(delegation)];
}

/** The same accounts as another wallet would have them. */
function copyDeposit(scene: RollupScene, model: Address, wallet: Address): Entry[] {
  const [from, to] = [addressesOf(model), addressesOf(wallet)];
  return depositOf(scene, model).map(([address, account]) => [
    to[from.indexOf(address)] as Address,
    { ...account, data: replaced(account.data, addressBytes(model), addressBytes(wallet)) },
  ]);
}

function replaced(data: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const copy = Buffer.from(data);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + to.length)) copy.set(to, at);
  return new Uint8Array(copy);
}

function assertSame(copied: readonly Entry[], real: readonly Entry[]): void {
  const textOf = (entries: readonly Entry[]): string =>
    JSON.stringify(
      entries.map(([address, { data, lamports, rentEpoch, ...rest }]) => ({
        address,
        ...rest,
        data: Buffer.from(data).toString('hex'),
        numbers: [lamports, rentEpoch].map(String),
      })),
      null,
      1,
    );
  const [copy, there] = [textOf(copied), textOf(real)];
  if (copy !== there) throw new Error(`a copied deposit is not what a real one leaves:\n${copy}\n${there}`);
}
