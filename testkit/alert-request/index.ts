export { codeOf, testPlace, testRequest } from './alert-request.ts';
