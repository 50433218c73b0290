import { ADDRESS_BYTES } from '../../../solana/address.ts';
import { readonly, signer, writable, writableSigner } from '../../instruction-table/account-spec.ts';
import { address, atEnd, bytes, constant, rest, u32, u64, u8 } from '../../instruction-table/field-codec.ts';
import { instructionTable } from '../../instruction-table/instruction-spec.ts';
import { SEAL_BYTES } from '../../private-transfer/sealed-box.ts';
import { delegatedThrough, EPHEMERAL_TOKEN } from './program.ts';

/** The first accounts of the instructions that create, fill and delegate a shuttle in one call. */
const shuttleHead = [
  writableSigner('payer'),
  writable('rentPda'),
  writable('shuttle', 'shuttle.metadata'),
  writable('shuttleEata', 'shuttle.eata'),
  writable('shuttleAta', 'shuttle.walletAta'),
  signer('owner'),
  ...delegatedThrough('shuttleEata'),
  readonly('ataProgram'),
  readonly('systemProgram'),
] as const;

/** Two boxes sealed for `validator`: the destination, and the delivery terms with a length prefix. */
const sealedDestination = bytes(ADDRESS_BYTES + SEAL_BYTES);
const sealedTerms = { sealedTermsBytes: u8, sealedTerms: rest } as const;

/**
 * Tags 11, 13 to 15, 24 to 26, 29 and 32 of layout B: shuttles, one-way carriers of tokens. Tags 24 to 26
 * create, fill and delegate one. The rent PDA pays its rent, and the payer pays the rent PDA a flat fee. If
 * `shuttleId` is already delegated, they succeed without moving tokens, so it must be new for owner and mint.
 */
export const SHUTTLE_TABLE = instructionTable(EPHEMERAL_TOKEN, {
  initShuttle: {
    tag: 11,
    accounts: [
      writableSigner('payer'),
      writable('shuttle', 'shuttle.metadata'),
      writable('shuttleEata', 'shuttle.eata'),
      writable('shuttleAta', 'shuttle.walletAta'),
      readonly('owner'),
      readonly('mint'),
      readonly('tokenProgram'),
      readonly('ataProgram'),
      readonly('systemProgram'),
    ],
    fields: { shuttleId: u32 },
  },
  delegateShuttle: {
    tag: 13,
    accounts: [
      writableSigner('payer'),
      readonly('shuttle', 'shuttle.metadata'),
      writable('shuttleEata', 'shuttle.eata'),
      ...delegatedThrough('shuttleEata'),
      readonly('systemProgram'),
    ],
    fields: { validator: atEnd(address) },
  },
  undelegateAndCloseShuttle: {
    tag: 14,
    accounts: [
      writableSigner('payer'),
      writable('rentPda'),
      readonly('shuttle', 'shuttle.metadata'),
      readonly('shuttleEata', 'shuttle.eata'),
      writable('shuttleAta', 'shuttle.walletAta'),
      writable('ownerAta'),
      readonly('tokenProgram'),
      writable('magicContext'),
      readonly('magicProgram'),
    ],
    fields: { escrowIndex: atEnd(u8) },
  },
  mergeShuttle: {
    tag: 15,
    accounts: [
      signer('owner'),
      writable('destinationAta'),
      readonly('shuttle', 'shuttle.metadata'),
      writable('shuttleAta', 'shuttle.walletAta'),
      readonly('mint'),
      readonly('tokenProgram'),
    ],
  },
  depositByShuttle: {
    tag: 24,
    accounts: [
      ...shuttleHead,
      writable('destinationAta'),
      readonly('mint'),
      readonly('tokenProgram'),
      readonly('vault'),
      writable('ownerAta'),
      writable('vaultAta'),
    ],
    fields: { shuttleId: u32, amount: u64, validator: atEnd(address) },
  },
  transferByShuttle: {
    tag: 25,
    name: 'privateTransfer',
    accounts: [
      ...shuttleHead,
      readonly('mint'),
      readonly('tokenProgram'),
      readonly('vault'),
      writable('ownerAta'),
      writable('vaultAta'),
      writable('queue'),
    ],
    fields: {
      shuttleId: u32,
      amount: u64,
      exactOut: u8,
      sealedDestination,
      // An option that is always set: the boxes are sealed for this validator only.
      hasValidator: constant(1),
      validator: address,
      ...sealedTerms,
    },
  },
  withdrawByShuttle: {
    tag: 26,
    accounts: [...shuttleHead, writable('ownerAta'), readonly('mint'), readonly('tokenProgram')],
    fields: { shuttleId: u32, amount: u64, validator: atEnd(address) },
  },
  scheduleSwapTransfer: {
    tag: 29,
    accounts: [
      writableSigner('owner'),
      writable('stash'),
      writable('rentPda'),
      writable('crank'),
      readonly('hydraProgram'),
      readonly('systemProgram'),
      readonly('tokenProgram'),
    ],
    fields: {
      shuttleId: u32,
      stashBump: u8,
      mint: address,
      /** Bumps of shuttle, its eATA and ATA, buffer, record, metadata, vault, its ATA, stash's ATA, queue. */
      bumps: bytes(10),
      validator: address,
      sealedDestination,
      ...sealedTerms,
    },
  },
  /**
   * Pays the tokens of a returned shuttle to `destinationAta`, an account of the shuttle's owner, and closes
   * the shuttle. Anyone can send it. The shuttle's metadata names `rentRefund`.
   */
  recoverShuttle: {
    tag: 32,
    accounts: [
      writable('rentRefund'),
      writable('shuttle', 'shuttle.metadata'),
      writable('shuttleEata', 'shuttle.eata'),
      writable('shuttleAta', 'shuttle.walletAta'),
      writable('destinationAta'),
      readonly('mint'),
      readonly('vault'),
      writable('vaultAta'),
      readonly('tokenProgram'),
    ],
  },
});

const { initShuttle, delegateShuttle, undelegateAndCloseShuttle } = SHUTTLE_TABLE;

/** The older form in the MagicBlock SDK 0.8: it has bumps, and fewer accounts in tag 14. */
export const EARLY_SHUTTLE_TABLE = instructionTable(EPHEMERAL_TOKEN, {
  initShuttle: { ...initShuttle, layout: 'a', fields: { ...initShuttle.fields, shuttleBump: u8 } },
  delegateShuttle: {
    ...delegateShuttle,
    layout: 'a',
    fields: { shuttleEataBump: u8, ...delegateShuttle.fields },
  },
  undelegateAndCloseShuttle: {
    tag: undelegateAndCloseShuttle.tag,
    layout: 'a',
    accounts: [
      writableSigner('payer'),
      readonly('shuttle', 'shuttle.metadata'),
      readonly('shuttleEata', 'shuttle.eata'),
      writable('shuttleAta', 'shuttle.walletAta'),
      readonly('tokenProgram'),
      writable('magicContext'),
      readonly('magicProgram'),
    ],
  },
});
