;;; package-form.el --- The form of a package  -*- lexical-binding: t; -*-

;; Prints the findings of checkdoc and package-lint in the file on the command line.

(require 'checkdoc)

;; Debian's packages of Emacs Lisp, which -Q leaves out.
(dolist (default-directory '("/usr/share/emacs/site-lisp/elpa/" "/usr/share/emacs/site-lisp/elpa-src/"))
  (when (file-directory-p default-directory)
    (normal-top-level-add-subdirs-to-load-path)))

(unless (require 'package-lint nil t)
  (princ "package-lint isn't installed\n")
  (kill-emacs 0))

(let ((file (pop command-line-args-left))
      (findings nil))
  (let ((checkdoc-create-error-function
         (lambda (text start _end &optional _unfixable)
           (push (format "%d: %s" (if start (line-number-at-pos start) 1) text) findings)
           nil)))
    (with-current-buffer (find-file-noselect file)
      (checkdoc-current-buffer t)))
  (with-temp-buffer
    (insert-file-contents file t)
    (emacs-lisp-mode)
    (pcase-dolist (`(,line ,_column ,_kind ,text) (package-lint-buffer))
      ;; It has no address yet.
      (unless (string-match-p "Homepage or URL" text)
        (push (format "%d: %s" line text) findings))))
  (dolist (finding (reverse findings))
    (princ (concat finding "\n")))
  (unless findings
    (princ "checkdoc and package-lint found nothing\n"))
  (kill-emacs (if findings 1 0)))
