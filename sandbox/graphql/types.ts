import { botFields, mannequinFields, organizationFields, teamFields, userFields } from './actor.ts'
import {
  appFields,
  checkRunFields,
  checkStepFields,
  checkSuiteFields,
  statusContextFields,
} from './check.ts'
import { rollupFields, statusFields } from './check-rollup.ts'
import { commentFields } from './comment.ts'
import {
  discussionCategoryFields,
  discussionCommentFields,
  discussionFields,
} from './discussion.ts'
import { gistFields } from './gist.ts'
import {
  blobFields,
  commitFields,
  comparisonFields,
  refFields,
  tagFields,
  treeFields,
} from './git.ts'
import { issueFields } from './issue.ts'
import { issueTypeFields } from './issue-type.ts'
import { labelFields } from './label.ts'
import { milestoneFields } from './milestone.ts'
import { mutationFields } from './mutation.ts'
import {
  draftIssueFields,
  iterationFields,
  plainFieldFields,
  projectFields,
  projectItemFields,
  singleSelectFields,
} from './project.ts'
import { pullRequestFields } from './pull-request.ts'
import { queryFields } from './query.ts'
import { reactionFields, reactionGroupFields } from './reaction.ts'
import { releaseFields } from './release.ts'
import { repositoryFields } from './repository.ts'
import { reviewFields, reviewRequestFields } from './review.ts'
import { reviewCommentFields, threadFields } from './review-thread.ts'
import { protectionFields, rulesetFields } from './ruleset.ts'
import { vulnerabilityAlertFields } from './vulnerability.ts'
import { workflowFields, workflowRunFields } from './workflow.ts'

/** The modelled types. To add a type, add a file next to this one and a line here. */
export const types: Readonly<Record<string, object>> = {
  Query: queryFields,
  Mutation: mutationFields,
  User: userFields,
  Bot: botFields,
  Mannequin: mannequinFields,
  Organization: organizationFields,
  Team: teamFields,
  Repository: repositoryFields,
  Issue: issueFields,
  PullRequest: pullRequestFields,
  IssueComment: commentFields,
  Reaction: reactionFields,
  ReactionGroup: reactionGroupFields,
  IssueType: issueTypeFields,
  Label: labelFields,
  Milestone: milestoneFields,
  Release: releaseFields,
  ProjectV2: projectFields,
  Gist: gistFields,
  Discussion: discussionFields,
  DiscussionCategory: discussionCategoryFields,
  DiscussionComment: discussionCommentFields,
  ProjectV2Field: plainFieldFields,
  ProjectV2SingleSelectField: singleSelectFields,
  ProjectV2IterationField: iterationFields,
  ProjectV2Item: projectItemFields,
  DraftIssue: draftIssueFields,
  Ref: refFields,
  Commit: commitFields,
  Tree: treeFields,
  Blob: blobFields,
  Tag: tagFields,
  Comparison: comparisonFields,
  PullRequestReview: reviewFields,
  PullRequestReviewThread: threadFields,
  PullRequestReviewComment: reviewCommentFields,
  ReviewRequest: reviewRequestFields,
  App: appFields,
  CheckRun: checkRunFields,
  CheckStep: checkStepFields,
  CheckSuite: checkSuiteFields,
  StatusCheckRollup: rollupFields,
  Status: statusFields,
  StatusContext: statusContextFields,
  RepositoryRuleset: rulesetFields,
  BranchProtectionRule: protectionFields,
  RepositoryVulnerabilityAlert: vulnerabilityAlertFields,
  Workflow: workflowFields,
  WorkflowRun: workflowRunFields,
}
