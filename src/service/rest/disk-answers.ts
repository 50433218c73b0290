import { chmodSync } from 'node:fs';
import { type Database, open, type RootDatabase } from 'lmdb';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { systemTimer, type Timer } from '../../ports/timer.ts';
import type { Reply } from '../reply.ts';
import {
  type AnswerStore,
  bodyBytes,
  IDEMPOTENCY_LIMITS,
  type IdempotencyLimits,
  type KeptAnswer,
  type KeyUse,
} from './answer-store.ts';
import { openAnswer, sealAnswer } from './sealed-answer.ts';

/** Changes with the layout of anything in the file. */
const FORMAT = 1;
/** Key of the state. */
const STATE = 'state';
/** Only its owner may read the file, as all others of the folder. */
const FILE_MODE = 0o600;

/** The number of an answer, u48 big-endian: the oldest sort first. */
const NUMBER_BYTES = 6;
/** An answer: when it expires f64 little-endian, bytes of its body u32, its place 32, and what is sealed. */
const BODY_BYTES_AT = 8;
const PLACE_AT = BODY_BYTES_AT + 4;
const SEALED_AT = PLACE_AT + 32;

/** Answers are written together this long after the first of them, ms, */
const WRITE_DELAY_MS = 200;
/** or at once when there are so many: a step of them holds the event loop for some milliseconds. */
const WRITTEN_AT_ONCE = 256;
/** While so many wait, a further one waits for the disk. */
const WAITING_MAX = 1_024;
/**
 * After a failure it is tried again as often, ms; until then answers are kept in memory, within the limits.
 */
const RETRY_MS = 1_000;
/** What is dropped besides as many as are written, at most. A lowered limit is reached step by step. */
const DROPPED_BESIDES = 64;

/** What the file has; written with each change. */
interface FileState {
  readonly format: number;
  readonly next: number;
  readonly count: number;
  readonly bytes: number;
}

interface WaitingAnswer {
  readonly use: KeyUse;
  readonly reply: Reply;
  readonly expiresAt: number;
}

/** What {@link DiskAnswers} is opened with. */
export interface DiskAnswersOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tells when waiting answers are written; the machine's by default. */
  readonly timer?: Timer;
  readonly limits?: IdempotencyLimits;
}

/**
 * Answers in an LMDB file of their own, which one process has open at a time. They are written some at a
 * time, as a transaction for each would cost more than most requests: a process that is killed forgets those
 * of the last moments, and one that is closed none. What cannot be written is found in this process all the
 * same, within the limits, and tried again.
 */
export class DiskAnswers implements AnswerStore {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #timer: Timer;
  readonly #limits: IdempotencyLimits;
  readonly #root: RootDatabase;
  /** By number, so that what is written and dropped together lies together. */
  readonly #answers: Database<Buffer, Uint8Array>;
  /** The number of each, by place. */
  readonly #numbers: Database<Buffer, Uint8Array>;
  readonly #states: Database<FileState, string>;
  #state: FileState;
  /** What is not in the file yet, by place, in the order it came. */
  readonly #waiting = new Map<string, WaitingAnswer>();
  /** Bytes of the bodies of what is waiting. */
  #waitingBytes = 0;
  /** Whether the last attempt to write failed. */
  #isFailing = false;
  #writing: Promise<void> | undefined;
  #callOff: (() => void) | undefined;

  /**
   * Opens the file, creating it if it is missing.
   *
   * @throws {Error} LMDB's or the system's.
   */
  constructor(options: DiskAnswersOptions) {
    const { file, clock, logger, timer = systemTimer, limits = IDEMPOTENCY_LIMITS } = options;
    this.#clock = clock;
    this.#logger = logger;
    this.#timer = timer;
    this.#limits = limits;
    this.#root = open({ path: file, noSubdir: true, maxDbs: 4, eventTurnBatching: false });
    chmodSync(file, FILE_MODE);
    const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
    this.#answers = this.#root.openDB({ name: 'answers', ...binary });
    this.#numbers = this.#root.openDB({ name: 'numbers', ...binary });
    this.#states = this.#root.openDB({ name: 'state' });
    this.#state = this.#begin();
  }

  find(use: KeyUse): KeptAnswer | undefined {
    const now = this.#clock.now();
    const waiting = this.#waiting.get(use.place);
    if (waiting !== undefined && waiting.expiresAt > now) {
      return { fingerprint: waiting.use.fingerprint, reply: waiting.reply };
    }
    const number = this.#numbers.get(placeOf(use));
    const found = number && this.#answers.get(number);
    if (found === undefined || found.readDoubleLE(0) <= now) return undefined;
    return openAnswer(use, found.subarray(SEALED_AT));
  }

  keep(use: KeyUse, reply: Reply): void | Promise<void> {
    // One that is over the limit alone would only drive out all others.
    if (bodyBytes(reply) > this.#limits.bytesMax) return;
    this.#wait({ use, reply, expiresAt: this.#clock.now() + this.#limits.keptMs });
    if (this.#isFailing || this.#waiting.size < WRITTEN_AT_ONCE) {
      this.#writeAfter(this.#isFailing ? RETRY_MS : WRITE_DELAY_MS);
      return;
    }
    const written = this.#write();
    if (this.#waiting.size >= WAITING_MAX) return written;
  }

  /** Writes what is waiting, then closes the file. No answer may be kept meanwhile. */
  async close(): Promise<void> {
    await this.#write();
    this.#callOff?.();
    if (!this.#isFailing) return await this.#root.close();
    this.#logger.error(
      { answers: this.#waiting.size },
      'answers to requests with an Idempotency-Key are lost: repeated, these are carried out again',
    );
    // LMDB may never end closing a file that it could not write to, and nothing of it is to be waited for.
    this.#root.close().catch(() => undefined);
  }

  #writeAfter(delayMs: number): void {
    this.#callOff ??= this.#timer.after(delayMs, () => void this.#write());
  }

  #wait(answer: WaitingAnswer): void {
    this.#forget(answer.use.place);
    this.#waiting.set(answer.use.place, answer);
    this.#waitingBytes += bodyBytes(answer.reply);
  }

  #forget(place: string): void {
    const answer = this.#waiting.get(place);
    if (answer === undefined) return;
    this.#waiting.delete(place);
    this.#waitingBytes -= bodyBytes(answer.reply);
  }

  #write(): Promise<void> {
    this.#callOff?.();
    this.#callOff = undefined;
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.size > 0) {
      const answers = [...this.#waiting.values()].slice(0, WRITTEN_AT_ONCE);
      const before = this.#state;
      try {
        await this.#root.childTransaction(() => {
          for (const answer of answers) this.#add(answer);
          this.#dropOldest(answers.length + DROPPED_BESIDES);
          void this.#states.put(STATE, this.#state);
        });
      } catch (error) {
        // The transaction was rolled back.
        this.#state = before;
        return this.#failed(await reasonOf(error));
      }
      this.#isFailing = false;
      // Reads of this turn of the event loop would go on to see what was there before.
      this.#root.resetReadTxn();
      // Found here until it can be found in the file; one that came meanwhile under the same key stays.
      for (const answer of answers) {
        if (this.#waiting.get(answer.use.place) === answer) this.#forget(answer.use.place);
      }
    }
  }

  /** Keeps what could not be written as answers in memory are kept, and tries again later. */
  #failed(reason: unknown): void {
    if (!this.#isFailing) {
      this.#logger.error(
        { err: reason },
        'answers to requests with an Idempotency-Key cannot be written: until they can, a restart forgets them',
      );
    }
    this.#isFailing = true;
    const now = this.#clock.now();
    for (const [place, { expiresAt }] of this.#waiting) {
      const isOver =
        this.#waiting.size > this.#limits.answersMax || this.#waitingBytes > this.#limits.bytesMax;
      if (!isOver && expiresAt > now) break;
      this.#forget(place);
    }
    this.#writeAfter(RETRY_MS);
  }

  /** What the file has, once it has nothing of another format. */
  #begin(): FileState {
    const state = this.#states.get(STATE);
    if (state?.format === FORMAT) return state;
    const none = { format: FORMAT, next: 0, count: 0, bytes: 0 };
    this.#root.transactionSync(() => {
      this.#answers.clearSync();
      this.#numbers.clearSync();
      this.#states.putSync(STATE, none);
    });
    return none;
  }

  #add({ use, reply, expiresAt }: WaitingAnswer): void {
    const place = placeOf(use);
    const bytes = bodyBytes(reply);
    const head = Buffer.allocUnsafe(SEALED_AT);
    head.writeDoubleLE(expiresAt, 0);
    head.writeUInt32LE(bytes, BODY_BYTES_AT);
    head.set(place, PLACE_AT);
    const number = numberBytes(this.#state.next);
    void this.#answers.put(number, Buffer.concat([head, sealAnswer(use, reply)]));
    void this.#numbers.put(place, number);
    this.#count(1, bytes);
    this.#state = { ...this.#state, next: this.#state.next + 1 };
  }

  /** Drops what is too old, and the oldest above the limits. */
  #dropOldest(countMax: number): void {
    const { answersMax, bytesMax } = this.#limits;
    const now = this.#clock.now();
    const dropped: { readonly number: Buffer; readonly place: Buffer }[] = [];
    // Listed before anything is removed, because removals move the cursor.
    for (const { key, value } of this.#answers.getRange({ limit: countMax })) {
      const isOver = this.#state.count > answersMax || this.#state.bytes > bytesMax;
      if (!isOver && value.readDoubleLE(0) > now) break;
      this.#count(-1, -value.readUInt32LE(BODY_BYTES_AT));
      dropped.push({ number: Buffer.from(key), place: Buffer.from(value.subarray(PLACE_AT, SEALED_AT)) });
    }
    for (const { number, place } of dropped) {
      void this.#answers.remove(number);
      // The place may have been used again since.
      if (this.#numbers.get(place)?.equals(number) === true) void this.#numbers.remove(place);
    }
  }

  #count(count: number, bytes: number): void {
    const { format, next } = this.#state;
    this.#state = { format, next, count: this.#state.count + count, bytes: this.#state.bytes + bytes };
  }
}

const placeOf = ({ place }: KeyUse): Buffer => Buffer.from(place, 'base64');

function numberBytes(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(NUMBER_BYTES);
  bytes.writeUIntBE(number, 0, NUMBER_BYTES);
  return bytes;
}

/**
 * LMDB reports why a commit failed through a separate promise, which ends the process if it is not handled.
 */
async function reasonOf(failure: unknown): Promise<unknown> {
  const { commitError } = failure as { commitError?: Promise<never> };
  return commitError === undefined ? failure : commitError.catch((reason: unknown) => reason);
}
