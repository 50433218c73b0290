import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import * as delegation from '../../programs/delegation/pdas.ts';
import * as pdas from '../../programs/ephemeral-token/pdas.ts';
import { deriveStealthPool } from '../../programs/ephemeral-token/stealth-pool.ts';
import { deriveHydraCrank } from '../../programs/hydra.ts';
import { FIXED_ACCOUNTS } from '../../programs/instruction-table/account-spec.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import type { Pda } from '../../solana/pda.ts';
import { RENT_PDA } from '../fees/costs.ts';
import type { Reading } from './reading.ts';

const FIXED: Readonly<Record<string, Address>> = FIXED_ACCOUNTS;

type Derive = (r: Reading) => Pick<Pda, 'address'> | null;

/** Applies `derive` to accounts of the call; null if one is missing. */
const from =
  (roles: readonly string[], derive: (...addresses: Address[]) => Pda): Derive =>
  (r) => {
    const addresses = roles.map((role) => r.account(role));
    return addresses.includes(null) ? null : derive(...(addresses as Address[]));
  };

const mintOf = (r: Reading): Address | null => r.account('mint') ?? r.address('mint');

/** The ATA of the account in the role `owner`. */
const ataOf =
  (ownerRole: string): Derive =>
  (r) => {
    const owner = r.account(ownerRole);
    const mint = mintOf(r);
    const tokenProgram = r.account('tokenProgram');
    return owner === null || mint === null || tokenProgram === null
      ? null
      : deriveAta(owner, mint, tokenProgram);
  };

const shuttle: Derive = (r) => {
  const owner = r.account('owner');
  const mint = r.account('mint');
  if (owner === null || mint === null || !r.has('shuttleId')) return null;
  return pdas.deriveShuttleMetadata(owner, mint, r.number('shuttleId'));
};

const receipt: Derive = (r) => {
  const queue = r.account('queue');
  const owner = r.account('owner');
  return queue === null || owner === null ? null : pdas.deriveGroupReceipt(queue, owner, r.number('groupId'));
};

const queue: Derive = (r) => {
  const mint = r.account('mint');
  const validator = r.account('validator') ?? r.address('validator');
  return mint === null || validator === null ? null : pdas.deriveTransferQueue(mint, validator);
};

const stash: Derive = (r) => {
  const owner = r.account('owner');
  const mint = r.address('mint');
  return owner === null || mint === null ? null : pdas.deriveStash(owner, mint);
};

const crank: Derive = (r) => {
  const of = r.account('stash');
  return of === null ? null : deriveHydraCrank(of, r.number('shuttleId'));
};

const lamportsPda: Derive = (r) => {
  const payer = r.account('payer');
  const destination = r.account('destination');
  return payer === null || destination === null
    ? null
    : pdas.deriveLamportsPda(payer, destination, r.bytes('salt'));
};

const DERIVED: Readonly<Record<string, Derive>> = {
  ata: ataOf('owner'),
  ownerAta: ataOf('owner'),
  eata: from(['owner', 'mint'], pdas.deriveEata),
  vault: from(['mint'], pdas.deriveVault),
  vaultAta: ataOf('vault'),
  vaultEata: from(['vault', 'mint'], pdas.deriveEata),
  shuttle,
  shuttleEata: from(['shuttle', 'mint'], pdas.deriveEata),
  shuttleAta: ataOf('shuttle'),
  queue,
  // The queue takes the place of the vault.
  vaultQueue: (r) => {
    const address = r.account('queue');
    return address === null ? null : { address };
  },
  queueEata: from(['queue', 'mint'], pdas.deriveEata),
  queueAta: ataOf('queue'),
  refillState: from(['queue'], pdas.deriveQueueRefillState),
  refillPda: from(['rentPda', 'queue'], (rent, of) => pdas.deriveLamportsPda(rent, of, addressBytes(of))),
  lamportsPda,
  destinationRecord: from(['destination'], delegation.deriveDelegationRecord),
  receipt,
  receiptPermission: from(['receipt'], derivePermission),
  queuePermission: from(['queue'], derivePermission),
  poolPermission: from(['pool'], derivePermission),
  permission: (r) => from([r.account('eata') === null ? 'account' : 'eata'], derivePermission)(r),
  pool: (r) => (r.has('handle') ? deriveStealthPool(r.text('handle')) : null),
  stash,
  crank,
  commitState: from(['account'], delegation.deriveCommitState),
  commitRecord: from(['account'], delegation.deriveCommitRecord),
  undelegationRequest: from(['account'], delegation.deriveUndelegationRequest),
  undelegateBuffer: from(['account'], delegation.deriveUndelegateBuffer),
  validatorFeesVault: from(['validator'], delegation.deriveValidatorFeesVault),
  feesVault: () => delegation.deriveFeesVault(),
  escrow: (r) => {
    const authority = r.account('authority') ?? r.account('escrowAuthority');
    const index = r.number(r.has('index') ? 'index' : 'escrowIndex');
    return authority === null ? null : delegation.deriveEphemeralBalance(authority, index);
  },
  magicFeeVault: (r) => {
    const validator = r.address('validator') ?? r.account('validator');
    return validator === null ? null : delegation.deriveMagicFeeVault(validator);
  },
  ...delegationRoles(),
};

/** Buffer, record and metadata of every delegated account. */
function delegationRoles(): Record<string, Derive> {
  const owners: Record<string, Address> = {
    permission: PERMISSION_PROGRAM,
    magicFeeVault: DELEGATION_PROGRAM,
  };
  const roles: Record<string, Derive> = {};
  for (const subject of [
    'eata',
    'shuttleEata',
    'queueEata',
    'queue',
    'lamportsPda',
    'refillPda',
    'pool',
    'permission',
    'magicFeeVault',
  ]) {
    const program = owners[subject] ?? EPHEMERAL_TOKEN_PROGRAM;
    roles[`${subject}Buffer`] = from([subject], (of) => delegation.deriveDelegateBuffer(of, program));
  }
  roles['accountBuffer'] = from(['account', 'ownerProgram'], delegation.deriveDelegateBuffer);
  for (const subject of ['account', ...Object.keys(roles).map((role) => role.replace('Buffer', ''))]) {
    roles[`${subject}Record`] = from([subject], delegation.deriveDelegationRecord);
    roles[`${subject}Metadata`] = from([subject], delegation.deriveDelegationMetadata);
  }
  return roles;
}

/**
 * The address an account in `role` must have in this call; null if any will do or too little is known. The
 * token program itself is not checked: the accounts derived with it are.
 */
export function expectedAddress(role: string, reading: Reading): Address | null {
  if (role === 'rentPda') return RENT_PDA;
  if (role === 'tokenProgram') {
    const given = reading.account(role);
    return isTokenProgram(given) ? given : TOKEN_PROGRAM;
  }
  return FIXED[role] ?? DERIVED[role]?.(reading)?.address ?? null;
}
