import type { AccountReads, LedgerOperator, LedgerReads } from '../../../ledger/ledger.ts';
import { CLOCK_SYSVAR } from '../../../programs/sysvars.ts';
import { viewOf } from '../../../solana/byte-reader.ts';
import { invalidParams } from '../../errors.ts';
import { invalidType, ParamFault, type ParamReader } from '../../params/param-reader.ts';
import { u64 } from '../../params/readers.ts';
import { defineMethod } from '../../rpc-method.ts';
import { showEpochInfo } from '../cluster-methods.ts';
import { operatorOf } from './cheat-parts.ts';

/** `surfnet_pauseClock()`: stops the slots; answers like getEpochInfo at processed. */
export const surfnetPauseClock = defineMethod(
  'surfnet_pauseClock',
  { required: [], optional: [] },
  (node) => {
    operatorOf(node).pauseClock();
    return showEpochInfo(node, node.ledger.head());
  },
);

/**
 * `surfnet_resumeClock()`: lets slots advance again from where they stopped; answers like getEpochInfo at
 * processed.
 */
export const surfnetResumeClock = defineMethod(
  'surfnet_resumeClock',
  { required: [], optional: [] },
  async (node) => {
    await operatorOf(node).resumeClock();
    return showEpochInfo(node, node.ledger.head());
  },
);

/** The destination (Surfpool `TimeTravelConfig`): an object with one of these. Timestamps are Unix ms. */
const DESTINATIONS = ['absoluteEpoch', 'absoluteSlot', 'absoluteTimestamp'] as const;

interface Destination {
  readonly kind: (typeof DESTINATIONS)[number];
  readonly value: bigint;
}

const destination: ParamReader<Destination> = (value) => {
  if (!(value instanceof Map)) throw invalidType(value, 'map with a single key');
  const [member, ...others] = value;
  if (member === undefined || others.length > 0) throw new ParamFault('expected map with a single key');
  const kind = DESTINATIONS.find((name) => name === member[0]);
  if (kind !== undefined) return { kind, value: u64(member[1]) };
  const names = DESTINATIONS.map((name) => `\`${name}\``).join(', ');
  throw new ParamFault(`unknown variant \`${member[0]}\`, expected one of ${names}`);
};

/** The default destination, as in Surfpool: an hour ahead. */
const DEFAULT_AHEAD_MS = 3_600_000;

/**
 * `surfnet_timeTravel([{ absoluteEpoch } | { absoluteSlot } | { absoluteTimestamp }]?)`: jumps to a later
 * time; answers like getEpochInfo at processed. A slot or an epoch (its first slot) advances the clock by
 * that many slots; a timestamp advances the slot by as many as fit.
 */
export const surfnetTimeTravel = defineMethod(
  'surfnet_timeTravel',
  { required: [], optional: [destination] },
  async (node, wanted) => {
    await operatorOf(node).travelTo(targetOf(node.ledger, wanted));
    return showEpochInfo(node, node.ledger.head());
  },
);

function targetOf(
  ledger: LedgerReads,
  wanted: Destination | undefined,
): Parameters<LedgerOperator['travelTo']>[0] {
  const value = wanted === undefined ? nowMs(ledger) + DEFAULT_AHEAD_MS : toSafe(wanted);
  switch (wanted?.kind) {
    case 'absoluteEpoch':
      return { slot: toSafe({ ...wanted, value: wanted.value * BigInt(ledger.epochSlots) }) };
    case 'absoluteSlot':
      return { slot: value };
    default: {
      const aheadMs = value - nowMs(ledger);
      if (aheadMs <= 0) throw invalidParams(`absoluteTimestamp ${value} is not later than now`);
      return { slot: ledger.head().slot + Math.ceil(aheadMs / ledger.slotMs), unixMs: value };
    }
  }
}

function toSafe({ kind, value }: Destination): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw invalidParams(`${kind} ${value} is too far away`);
}

/** The ledger's time as programs see it (Clock sysvar, `unix_timestamp` at 32), ms. */
function nowMs(ledger: AccountReads): number {
  const { data } = ledger.getAccount(CLOCK_SYSVAR) as { data: Uint8Array };
  return Number(viewOf(data).getBigInt64(32, true)) * 1_000;
}
