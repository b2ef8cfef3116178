import { COMMAND_DOOR } from '../model/door.ts'
import { openEngine } from './open-engine.ts'
import type { CommonOptions } from './options.ts'
import { printJson } from './output.ts'

/** Prints hints by the ids that errors have, or all of them. */
export async function hints(ids: readonly string[], options: CommonOptions): Promise<void> {
  await using engine = await openEngine(options)
  printJson(engine.hints.find(ids.length === 0 ? null : ids, 'en', COMMAND_DOOR))
}
