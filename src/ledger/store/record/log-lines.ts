import { isAddress } from '../../../solana/address.ts';
import type { AddressRefs, AddressTable } from './address-refs.ts';
import type { ByteSink } from './byte-sink.ts';
import type { ByteSource } from './byte-source.ts';

/** The form of a line, u8, before what it does not have in common with others. */
const OTHER = 0;
const INVOKE = 1;
const SUCCESS = 2;
const CONSUMED = 3;
const FAILED = 4;
const LOG = 5;
const INSTRUCTION = 6;
const DATA = 7;
/** That of an instruction with a usual name, by its number. Formats before 7 have no such lines. */
const USUAL_INSTRUCTION = 8;

/**
 * Names of instructions that take a byte, by their places here: new ones only at the end. Those that SPL
 * Token and Token-2022 log (`Processor::process` of either).
 */
const USUAL_NAMES: readonly string[] = [
  'Transfer',
  'TransferChecked',
  'MintTo',
  'MintToChecked',
  'Burn',
  'BurnChecked',
  'Approve',
  'ApproveChecked',
  'Revoke',
  'SetAuthority',
  'CloseAccount',
  'FreezeAccount',
  'ThawAccount',
  'SyncNative',
  'InitializeMint',
  'InitializeMint2',
  'InitializeAccount',
  'InitializeAccount2',
  'InitializeAccount3',
  'InitializeImmutableOwner',
  'GetAccountDataSize',
];

const usualNumbers = new Map(USUAL_NAMES.map((name, number) => [name, number]));

/** What lines of which form begin with, the longer beginnings first (Agave `stable_log`). */
const BEGINNINGS: readonly (readonly [number, string])[] = [
  [INSTRUCTION, 'Program log: Instruction: '],
  [LOG, 'Program log: '],
  [DATA, 'Program data: '],
];

const beginningOf = new Map(BEGINNINGS);

/**
 * A line about a program (Agave `stable_log`, and the compute meter of `solana-bpf-loader-program`). Numbers
 * are those that are written back as they were: safe, and without zeros before them.
 */
const ABOUT_PROGRAM =
  /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) (?:invoke \[(\d|[1-9]\d{1,14})\]|(success)|consumed (\d|[1-9]\d{1,14}) of (\d|[1-9]\d{1,14}) compute units|failed: (.*))$/s;

/** Writes log lines: those of the usual forms without the words these have in common. */
export function writeLogs(sink: ByteSink, logs: readonly string[], refs: AddressRefs): void {
  sink.varint(logs.length);
  for (const line of logs) if (!writeAboutProgram(sink, line, refs)) writeText(sink, line);
}

function writeAboutProgram(sink: ByteSink, line: string, refs: AddressRefs): boolean {
  const match = ABOUT_PROGRAM.exec(line);
  if (match === null) return false;
  const [, program = '', depth, success, used, limit, reason] = match;
  if (!isAddress(program)) return false;
  sink.u8(
    depth !== undefined ? INVOKE : success !== undefined ? SUCCESS : reason !== undefined ? FAILED : CONSUMED,
  );
  sink.varint(refs.numberOf(program));
  for (const number of [depth, used, limit]) if (number !== undefined) sink.varint(Number(number));
  if (reason !== undefined) sink.text(reason);
  return true;
}

function writeText(sink: ByteSink, line: string): void {
  const [form, beginning] = BEGINNINGS.find(([, each]) => line.startsWith(each)) ?? [OTHER, ''];
  const rest = line.slice(beginning.length);
  const number = form === INSTRUCTION ? usualNumbers.get(rest) : undefined;
  sink.u8(number === undefined ? form : USUAL_INSTRUCTION);
  if (number === undefined) sink.text(rest);
  else sink.varint(number);
}

/** Reads what {@link writeLogs} wrote. */
export function readLogs(source: ByteSource, addresses: AddressTable): string[] {
  return source.list(() => readLine(source, addresses));
}

function readLine(source: ByteSource, addresses: AddressTable): string {
  const form = source.u8();
  switch (form) {
    case INVOKE:
      return `Program ${addresses.read(source)} invoke [${source.varint()}]`;
    case SUCCESS:
      return `Program ${addresses.read(source)} success`;
    case CONSUMED:
      return `Program ${addresses.read(source)} consumed ${source.varint()} of ${source.varint()} compute units`;
    case FAILED:
      return `Program ${addresses.read(source)} failed: ${source.text()}`;
    case USUAL_INSTRUCTION:
      return `${beginningOf.get(INSTRUCTION)}${USUAL_NAMES[source.varint()]}`;
    default:
      return (beginningOf.get(form) ?? '') + source.text();
  }
}
