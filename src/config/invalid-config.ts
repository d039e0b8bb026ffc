import { AppError } from '#kit/app-error';
import { formatProblem, type Problem } from './problem.ts';

/** Everything that is wrong with config.yaml or the variables over it, as one error. */
export function invalidConfig(problems: readonly Problem[]): AppError {
  const inFile = problems.some(({ source }) => !/^[A-Z_]+$/.test(source));
  return invalidFile(
    problems,
    inFile ? 'To mend it: hermes config edit' : 'Change the environment variable, or unset it.',
  );
}

/** The same for a file that people edit by themselves. */
export function invalidFile(problems: readonly Problem[], hint?: string): AppError {
  return new AppError({
    code: 'config.invalid',
    message: problems.map((problem) => formatProblem(problem)).join('\n'),
    ...(hint ? { hint } : {}),
    retry: { again: false },
    details: { problems: problems.map((problem) => ({ ...problem })) },
  });
}
