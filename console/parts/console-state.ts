export type { ConsoleState, ShownSnapshot, SnapshotList } from '../../src/console/answers.ts';
