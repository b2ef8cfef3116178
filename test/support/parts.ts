import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program that some tests need and a machine may lack. */
export interface Part {
  readonly name: string
  readonly available: boolean
  readonly tests: string
  readonly install: string
}

export const gh: Part = {
  name: 'gh',
  available: onPath('gh'),
  tests: 'the CLI route of the GitHub pack',
  install: 'apt-get install gh, or brew install gh',
}

export const parts: readonly Part[] = [gh]

function onPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some(directory => {
    try {
      accessSync(join(directory, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
