export type { ConsoleState } from '../../src/console/answers.ts';
