import type { JsonOutput } from '../../json/write-json.ts';
import {
  CLOCK_SYSVAR,
  EPOCH_REWARDS_SYSVAR,
  EPOCH_SCHEDULE_SYSVAR,
  LAST_RESTART_SLOT_SYSVAR,
  RECENT_BLOCKHASHES_SYSVAR,
  RENT_SYSVAR,
  SLOT_HASHES_SYSVAR,
  STAKE_HISTORY_SYSVAR,
} from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import { sortMembers } from './instruction-call.ts';
import type { AccountBytes } from './parse-account.ts';

/**
 * Shows a sysvar like Agave (`parse_sysvar`).
 *
 * @throws {Unparsable} also for an account of the sysvars' owner at any other address.
 */
export function parseSysvarState({ address, data }: AccountBytes): JsonOutput {
  const form = FORMS.get(address);
  if (form === undefined) throw new Unparsable('unknown sysvar');
  return { info: form.info(new ByteReader(data)), type: form.type };
}

interface SysvarForm {
  readonly type: string;
  info(sysvar: ByteReader): JsonOutput;
}

const hash = (sysvar: ByteReader): string => encodeBase58(sysvar.take(32));

const feeCalculator = (sysvar: ByteReader): JsonOutput => ({
  lamportsPerSignature: sysvar.u64().toString(),
});

/**
 * Sysvar forms by address. All forms are bincode (`solana-sysvar`, `solana-clock`, ...), read in declaration
 * order.
 */
const FORMS: ReadonlyMap<Address, SysvarForm> = new Map([
  [
    CLOCK_SYSVAR,
    {
      type: 'clock',
      info: (sysvar) =>
        sortMembers({
          slot: sysvar.u64(),
          epochStartTimestamp: sysvar.i64(),
          epoch: sysvar.u64(),
          leaderScheduleEpoch: sysvar.u64(),
          unixTimestamp: sysvar.i64(),
        }),
    },
  ],
  [
    EPOCH_SCHEDULE_SYSVAR,
    {
      type: 'epochSchedule',
      info: (sysvar) =>
        sortMembers({
          slotsPerEpoch: sysvar.u64(),
          leaderScheduleSlotOffset: sysvar.u64(),
          warmup: sysvar.bool(),
          firstNormalEpoch: sysvar.u64(),
          firstNormalSlot: sysvar.u64(),
        }),
    },
  ],
  [
    RECENT_BLOCKHASHES_SYSVAR,
    {
      type: 'recentBlockhashes',
      info: (sysvar) =>
        sysvar.list(40, () => ({ blockhash: hash(sysvar), feeCalculator: feeCalculator(sysvar) })),
    },
  ],
  [RENT_SYSVAR, { type: 'rent', info: rent }],
  [
    SLOT_HASHES_SYSVAR,
    {
      type: 'slotHashes',
      info: (sysvar) => sysvar.list(40, () => sortMembers({ slot: sysvar.u64(), hash: hash(sysvar) })),
    },
  ],
  [
    STAKE_HISTORY_SYSVAR,
    {
      type: 'stakeHistory',
      info: (sysvar) =>
        sysvar.list(32, () => ({ epoch: sysvar.u64(), stakeHistory: stakeHistoryEntry(sysvar) })),
    },
  ],
  [
    LAST_RESTART_SLOT_SYSVAR,
    { type: 'lastRestartSlot', info: (sysvar) => ({ lastRestartSlot: sysvar.u64() }) },
  ],
  [
    EPOCH_REWARDS_SYSVAR,
    {
      type: 'epochRewards',
      info: (sysvar) =>
        sortMembers({
          distributionStartingBlockHeight: sysvar.u64(),
          numPartitions: sysvar.u64(),
          parentBlockhash: hash(sysvar),
          totalPoints: sysvar.u128().toString(),
          totalRewards: sysvar.u64().toString(),
          distributedRewards: sysvar.u64().toString(),
          active: sysvar.bool(),
        }),
    },
  ],
]);

/** Shows the rent. Agave 4.1 and later store but do not show the exemption threshold and the burnt share. */
function rent(sysvar: ByteReader): JsonOutput {
  const lamportsPerByte = sysvar.u64().toString();
  sysvar.f64();
  sysvar.u8();
  return { lamportsPerByte };
}

const stakeHistoryEntry = (sysvar: ByteReader): JsonOutput =>
  sortMembers({ effective: sysvar.u64(), activating: sysvar.u64(), deactivating: sysvar.u64() });
