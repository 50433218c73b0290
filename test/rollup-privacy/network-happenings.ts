import { EPHEMERAL_TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../../src/programs/delegation/pdas.ts';
import { updateStealthPool } from '../../src/programs/ephemeral-token/layout-b/stealth-pool.ts';
import { deriveStealthPool } from '../../src/programs/ephemeral-token/stealth-pool.ts';
import { STEALTH_TABLE } from '../../src/programs/ephemeral-token/table/queue.ts';
import { encode } from '../../src/programs/instruction-table/encode.ts';
import { derivePermission } from '../../src/programs/permission/state.ts';
import { transferTokens } from '../../src/programs/token/instructions.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Name, NetworkWorld } from './network-world.ts';

export const poolOf = (handle: Name): Address => deriveStealthPool(handle).address;

/** Creates the pool of a handle with its owner's name. Payments to the handle go to the owner. */
export async function openPool({ scene, wallets, others }: NetworkWorld, handle: Name): Promise<void> {
  const owner = wallets[handle];
  const pool = poolOf(handle);
  const accounts = { payer: owner.address, pool, authority: owner.address };
  const permission = derivePermission(pool).address;
  const delegation = {
    buffer: deriveDelegateBuffer(pool, EPHEMERAL_TOKEN_PROGRAM).address,
    record: deriveDelegationRecord(pool).address,
    metadata: deriveDelegationMetadata(pool).address,
  };
  const { address } = scene.validator;
  await scene.must(
    scene.base,
    owner,
    encode(
      STEALTH_TABLE.delegateStealthPool,
      { ...accounts, permission, delegation },
      { handle, validator: address },
    ),
  );
  await scene.rollup.settled();
  const keys = { destinations: [owner.address], splitAcrossKeys: false };
  await scene.must(scene.rollup, owner, updateStealthPool(accounts, handle, keys));
  others.push(pool, permission);
}

/** Freezes a wallet's token account, so base rejects payments to the wallet. It holds one base unit. */
export async function freeze({ scene, wallets }: NetworkWorld, name: Name): Promise<void> {
  const owner = wallets[name].address;
  await scene.base.airdropTokens(owner, scene.mint, 1n);
  await scene.freeze(owner);
}

/** Pays base units from one wallet to another on the rollup. */
export async function payOnRollup(
  { scene, wallets }: NetworkWorld,
  { from, to, amount }: { readonly from: Name; readonly to: Name; readonly amount: bigint },
): Promise<void> {
  const accounts = {
    source: scene.ataOf(wallets[from].address),
    destination: scene.ataOf(wallets[to].address),
    authority: wallets[from].address,
  };
  await scene.must(scene.rollup, wallets[from], transferTokens(scene.tokenProgram, accounts, amount));
}
