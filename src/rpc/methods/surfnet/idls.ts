import { JsonText, type JsonValue } from '../../../json/json-value.ts';
import { jsonTextOf } from '../../../json/json-text-of.ts';
import type { Address } from '../../../solana/address.ts';
import { invalidParams } from '../../errors.ts';
import { verifyAddress } from '../../params/keys.ts';
import type { ParamReader } from '../../params/param-reader.ts';
import { sequence, string, u64 } from '../../params/primitives.ts';
import { required, struct } from '../../params/struct.ts';
import { defineMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { keptBeside } from './kept-beside.ts';
import { operatorOf } from './operator-of.ts';

/** Limits: bytes of one IDL, bytes of all IDLs, and versions per program. */
const IDL_BYTES_MAX = 1024 * 1024;
const ALL_BYTES_MAX = 16 * 1024 * 1024;
const VERSIONS_MAX = 64;

/** The required members of an IDL (`anchor_lang_idl::types::Idl`). */
const idlParts = struct<{
  readonly address: string;
  readonly metadata: unknown;
  readonly instructions: readonly unknown[];
}>('Idl', {
  address: required(string),
  metadata: required(
    struct<{ readonly name: string; readonly version: string; readonly spec: string }>('IdlMetadata', {
      name: required(string),
      version: required(string),
      spec: required(string),
    }),
  ),
  instructions: required(sequence((value) => value)),
});

/** An IDL and the address of its program. */
const idl: ParamReader<{ readonly address: string; readonly value: JsonValue }> = (value) => ({
  address: idlParts(value).address,
  value,
});

/** An IDL valid from a slot on. */
interface Version {
  readonly slot: bigint;
  readonly text: string;
}

/** The IDLs of a node, by program, in ascending order of slots. */
const registered = keptBeside(() => new Map<Address, readonly Version[]>());

/**
 * `surfnet_registerIdl([idl, slot?])`: stores the IDL of the program in its `address`, valid from that slot
 * or from now on. An IDL of the same slot is replaced. A restart or a reset of the network forgets it.
 */
export const surfnetRegisterIdl = defineMethod(
  'surfnet_registerIdl',
  { required: [idl], optional: [u64] },
  (node, { address, value }, givenSlot) => {
    operatorOf(node);
    const program = verifyAddress(address);
    const { slot: present } = node.ledger.head();
    const version = { slot: givenSlot ?? BigInt(present), text: jsonTextOf(value) };
    const idls = registered(node);
    const others = (idls.get(program) ?? []).filter(({ slot }) => slot !== version.slot);
    assertRoom(
      version,
      others,
      [...idls].flatMap(([at, versions]) => (at === program ? others : versions)),
    );
    idls.set(
      program,
      [...others, version].sort((one, other) => (one.slot < other.slot ? -1 : 1)),
    );
    return inContext(node, present, null);
  },
);

/** `surfnet_getActiveIdl([program, slot?])`: the IDL valid at that slot or now; null if there is none. */
export const surfnetGetActiveIdl = defineMethod(
  'surfnet_getActiveIdl',
  { required: [string], optional: [u64] },
  (node, text, givenSlot) => {
    operatorOf(node);
    const { slot: present } = node.ledger.head();
    const slot = givenSlot ?? BigInt(present);
    const active = registered(node)
      .get(verifyAddress(text))
      ?.findLast((version) => version.slot <= slot);
    return inContext(node, present, active === undefined ? null : new JsonText(active.text));
  },
);

function assertRoom({ text }: Version, others: readonly Version[], all: readonly Version[]): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > IDL_BYTES_MAX) throw invalidParams(`IDL too large; max ${IDL_BYTES_MAX} bytes`);
  if (others.length >= VERSIONS_MAX) throw invalidParams(`Too many IDLs of the program; max ${VERSIONS_MAX}`);
  const total = all.reduce((sum, version) => sum + Buffer.byteLength(version.text), bytes);
  if (total > ALL_BYTES_MAX) {
    throw invalidParams(
      `Too many IDLs; max ${ALL_BYTES_MAX} bytes together, which surfnet_resetNetwork gives back`,
    );
  }
}
