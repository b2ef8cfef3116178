import type { Account, Entity, IssueOrPull, Timestamp, User } from './entities.ts'

export interface ProjectV2 extends Entity<'ProjectV2'> {
  owner: Account
  number: number
  title: string
  shortDescription: string | null
  readme: string | null
  isPublic: boolean
  isTemplate: boolean
  creator: User
  closedAt: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
  fields: ProjectField[]
  items: ProjectItem[]
}

interface FieldOf<
  K extends 'ProjectV2Field' | 'ProjectV2SingleSelectField' | 'ProjectV2IterationField',
> extends Entity<K> {
  project: ProjectV2
  name: string
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface PlainField extends FieldOf<'ProjectV2Field'> {
  dataType: 'TITLE' | 'ASSIGNEES' | 'LABELS' | 'REPOSITORY' | 'TEXT' | 'NUMBER' | 'DATE'
}

export interface SingleSelectField extends FieldOf<'ProjectV2SingleSelectField'> {
  dataType: 'SINGLE_SELECT'
  options: readonly SelectOption[]
}

export interface IterationField extends FieldOf<'ProjectV2IterationField'> {
  dataType: 'ITERATION'
  /** In days. */
  duration: number
  iterations: readonly Iteration[]
}

export type ProjectField = PlainField | SingleSelectField | IterationField

export interface SelectOption {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly color: 'GRAY' | 'GREEN' | 'YELLOW'
}

export interface Iteration {
  readonly id: string
  readonly title: string
  readonly startDate: string
  readonly isCompleted: boolean
}

export interface ProjectItem extends Entity<'ProjectV2Item'> {
  project: ProjectV2
  content: IssueOrPull | DraftIssue
  creator: User
  archivedAt: Timestamp | null
  /** Field values: a text, a number, a date, or the id of an option or iteration. */
  values: Map<ProjectField, string | number>
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface DraftIssue extends Entity<'DraftIssue'> {
  project: ProjectV2
  title: string
  body: string
  creator: User
  createdAt: Timestamp
  updatedAt: Timestamp
}
