import { VAULT_BYTES_B } from '../../programs/ephemeral-token/layout-b/account-sizes.ts';
import { decodeShuttle } from '../../programs/ephemeral-token/layout-b/shuttle-state.ts';
import { decodeStealthPool } from '../../programs/ephemeral-token/layout-b/stealth-pool-state.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue-state.ts';
import { deriveEata, deriveTransferQueue, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, EATA_BYTES_B, VAULT_BYTES_A } from '../../programs/ephemeral-token/state.ts';
import { deriveStealthPool } from '../../programs/ephemeral-token/stealth-pool.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import type { DecodedAccount } from '../answers.ts';
import { AccountForm } from './account-form.ts';

/** Transfers of a queue that are shown. */
const TRANSFERS_SHOWN_MAX = 20;
/** Offset of the first transfer of a queue, and bytes of each (`decodeTransferQueue`). */
const TRANSFERS_AT = 96;
const TRANSFER_BYTES = 96;
/** Offsets in a stealth pool (`decodeStealthPool`). */
const HANDLE_AT = 42;
const DESTINATIONS_AT = 299;

/**
 * Decodes an account of the ephemeral SPL token program, delegated or not. A form counts only at the address
 * that its bytes lead to, where that follows from them: other accounts may have the same size.
 */
export function decodeEphemeralToken(address: Address, data: Uint8Array): DecodedAccount | null {
  return (
    decodeEataAccount(address, data) ??
    decodeVaultAccount(address, data) ??
    decodePoolAccount(address, data) ??
    decodeQueueAccount(address, data) ??
    decodeShuttleAccount(data)
  );
}

function decodeEataAccount(address: Address, data: Uint8Array): DecodedAccount | null {
  const eata = decodeEata(data);
  if (eata === null || deriveEata(eata.owner, eata.mint).address !== address) return null;
  const form = new AccountForm(data)
    .address('owner', 'Whose', 0)
    .address('mint', 'Mint', 32)
    .u64('amount', 'Balance', 64);
  if (data.length === EATA_BYTES_B) form.u8('bump', 'Bump', 72).bytes('unused', 'Unused', 73, 7);
  return form.as('eata');
}

function decodeVaultAccount(address: Address, data: Uint8Array): DecodedAccount | null {
  if (data.length !== VAULT_BYTES_A && data.length !== VAULT_BYTES_B) return null;
  if (deriveVault(addressOf(data.subarray(0, 32))).address !== address) return null;
  const form = new AccountForm(data).address('mint', 'Mint', 0);
  if (data.length === VAULT_BYTES_B) form.address('tokenAccount', 'Held in', 32).u8('bump', 'Bump', 64);
  return form.as('vault');
}

function decodePoolAccount(address: Address, data: Uint8Array): DecodedAccount | null {
  const pool = decodeStealthPool(data);
  if (pool === null || deriveStealthPool(pool.handle).address !== address) return null;
  const form = new AccountForm(data)
    .text('discriminator', 'Kind', 'stpool@1', 0, 8)
    .u8('bump', 'Bump', 8)
    .flag('splitAcrossKeys', 'Parts may go to different keys', 9, pool.splitAcrossKeys)
    .address('authority', 'Who may change it', 10)
    .text('handle', 'Handle', pool.handle, HANDLE_AT, DESTINATIONS_AT - 1 - HANDLE_AT)
    .u8('destinationCount', 'Keys', DESTINATIONS_AT - 1);
  for (const index of pool.destinations.keys()) {
    form.address(`destination${index + 1}`, `Key ${index + 1}`, DESTINATIONS_AT + index * 32);
  }
  return form.as('stealth-pool');
}

function decodeQueueAccount(address: Address, data: Uint8Array): DecodedAccount | null {
  const queue = decodeTransferQueue(data);
  if (queue === null || deriveTransferQueue(queue.mint, queue.validator).address !== address) return null;
  const form = new AccountForm(data)
    .u8('version', 'Version', 0)
    .u8('bump', 'Bump', 1)
    .address('mint', 'Mint', 8)
    .u32('length', 'Waiting transfers', 40)
    .u32('nextGroupId', 'Next payment', 44)
    .u32('nextTaskId', 'Next transfer', 52)
    .i64('crankTaskId', 'Task that pays out', 56)
    .address('validator', 'Validator', 64);
  for (const index of queue.transfers.slice(0, TRANSFERS_SHOWN_MAX).keys()) {
    const at = TRANSFERS_AT + index * TRANSFER_BYTES;
    const [name, label] = [`transfer${index + 1}`, `Transfer ${index + 1}`];
    form
      .address(`${name}Source`, `${label}: from`, at)
      .address(`${name}Destination`, `${label}: to`, at + 32)
      .u64(`${name}Amount`, `${label}: amount`, at + 64)
      .i64(`${name}ReadyAtMs`, `${label}: due, Unix ms`, at + 72)
      .u64(`${name}Reference`, `${label}: reference`, at + 80, 'count')
      .u32(`${name}Task`, `${label}: number`, at + 88);
  }
  return form.as('queue');
}

/** Its address follows from a mint that is not in it; a bump and the zeros at its end are. */
function decodeShuttleAccount(data: Uint8Array): DecodedAccount | null {
  const shuttle = decodeShuttle(data);
  if (shuttle === null || shuttle.bump === 0 || data.subarray(69).some((byte) => byte !== 0)) return null;
  return new AccountForm(data)
    .address('owner', 'Whose', 0)
    .address('rentRefund', 'Who gets the rent back', 32)
    .u32('id', 'Number', 64)
    .u8('bump', 'Bump', 68)
    .bytes('unused', 'Unused', 69, 3)
    .as('shuttle');
}
