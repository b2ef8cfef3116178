import { resolve } from 'node:path'
import { type Folder, findFolders, readFolder } from '../../cards/folders.ts'

/** The folders of cards in these directories. The loader reports faults of folders and files. */
export function foldersIn(directories: readonly string[]): Folder[] {
  return directories
    .flatMap(directory => findFolders(resolve(directory), []))
    .map(folder => readFolder(folder, {}, []))
}
