;;; reelwire-tests.el --- Tests of reelwire.el with an engine  -*- lexical-binding: t; -*-

;;; Commentary:

;; They want the engine in REELWIRE_BINARY, and clips as those of Tests/Editors.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'reelwire)

(setq reelwire-program (getenv "REELWIRE_BINARY"))

(defconst reelwire-tests--hang (* 180 (string-to-number (or (getenv "REELWIRE_PATIENCE") "1")))
  "The seconds after which what must come is taken to hang.")

(defun reelwire-tests--wait (done)
  "Read what the engine says until DONE gives something, and return that."
  (with-timeout (reelwire-tests--hang (ert-fail "nothing came"))
    (let (result)
      (while (not (setq result (funcall done)))
        (accept-process-output nil 1))
      result)))

(defun reelwire-tests--answer (method)
  "What the engine answers to METHOD without params."
  (let (answer)
    (reelwire--send method nil (lambda (result) (setq answer result)) #'ignore)
    (reelwire-tests--wait (lambda () answer))))

(defun reelwire-tests--nothing-left ()
  "Wait until the engine holds nothing any more."
  (reelwire-tests--wait
   (lambda ()
     (let ((stats (reelwire-tests--answer 'engine/stats)))
       (equal (list (plist-get stats :handles) (plist-get stats :leases)
                    (plist-get stats :operations))
              '(nil 0 0))))))

(defmacro reelwire-tests--showing (variable parts &rest body)
  "Run BODY in the buffer of the clip that VARIABLE names, once it has PARTS."
  (declare (indent 2))
  `(let ((buffer (reelwire-find-file (getenv ,variable))))
     (unwind-protect
         (with-current-buffer buffer
           (reelwire-tests--wait
            (lambda () (seq-every-p (lambda (part) (alist-get part reelwire--parts)) ,parts)))
           ,@body)
       (kill-buffer buffer)
       (reelwire-tests--nothing-left))))

(defconst reelwire-tests--all '(tracks filmstrip waveform tags))

(ert-deftest reelwire-is-text-in-a-terminal ()
  (reelwire-tests--showing "REELWIRE_CLIP" reelwire-tests--all
    (reelwire-tests--wait (lambda () (string-match-p "aac" (buffer-string))))
    (should (derived-mode-p 'reelwire-mode))
    (should buffer-read-only)
    (should-not (buffer-modified-p))
    (dolist (line '("^clip\\.mp4  0:02\\.000$"
                    "^ +1  video +h264 (High), 160 × 90, 25 frames/s$"
                    "^ +2  audio +aac (LC), 48 kHz, mono$"
                    "^title +A clip$"
                    "^[ ▁▂▃▄▅▆▇█]+$"))
      (goto-char (point-min))
      (should (re-search-forward line nil t)))
    (goto-char (point-min))
    (search-forward "▀")
    (let ((face (get-text-property (1- (point)) 'face)))
      (should (string-match-p "\\`#[0-9a-f]\\{6\\}\\'" (plist-get face :foreground)))
      (should (plist-get face :background)))
    ;; Each picture of the strip has the time of its frame below it.
    (should (= (how-many "0:0[01]\\.[0-9]+" (point)) (/ (reelwire--columns) 16)))))

(ert-deftest reelwire-has-pictures-where-there-can-be-some ()
  (let (made)
    (cl-letf (((symbol-function 'display-images-p) (lambda (&rest _) t))
              ((symbol-function 'create-image)
               (lambda (data type is-data &rest _)
                 (should is-data)
                 (push (cons type (substring data 0 3)) made)
                 (list 'image :type type))))
      (reelwire-tests--showing "REELWIRE_CLIP" reelwire-tests--all
        (should (equal (alist-get 'jpeg made) (unibyte-string #xff #xd8 #xff)))
        (should (equal (alist-get 'png made) (unibyte-string #x89 ?P ?N)))
        (goto-char (point-min))
        (search-forward "[jpeg]")
        (should (equal (get-text-property (1- (point)) 'display) '(image :type jpeg)))))))

(defun reelwire-tests--press (key)
  "Run what KEY does in the current buffer."
  (call-interactively (key-binding (kbd key))))

(defun reelwire-tests--line (regexp)
  "Wait until a line matches REGEXP."
  (reelwire-tests--wait (lambda () (string-match-p (concat "^" regexp "$") (buffer-string)))))

(ert-deftest reelwire-plays-and-pauses ()
  (reelwire-tests--showing "REELWIRE_CLIP" reelwire-tests--all
    (reelwire-tests--press ".")
    (reelwire-tests--line "0:00\\.040  paused")
    (reelwire-tests--press "<right>")
    (reelwire-tests--line "0:02\\.000  paused")
    (reelwire-tests--press "<left>")
    (reelwire-tests--line "0:00\\.000  paused")
    (let ((current-prefix-arg 3)) (reelwire-tests--press "."))
    (reelwire-tests--line "0:00\\.120  paused")
    (reelwire-tests--press ",")
    (reelwire-tests--line "0:00\\.080  paused")
    (reelwire-tests--press "SPC")
    (reelwire-tests--line "0:0[012]\\.[0-9]+  playing")
    (reelwire-tests--press "SPC")
    (reelwire-tests--line "0:0[012]\\.[0-9]+  paused")
    (reelwire-tests--press "SPC")
    (reelwire-tests--line "0:02\\.000  paused")
    ;; From the end it begins again; the rest of the buffer is as it was.
    (reelwire-tests--press "SPC")
    (reelwire-tests--line "0:0[012]\\.[0-9]+  playing")
    (should (= (how-many "playing\\|paused" (point-min)) 1))
    (should (string-match-p "^ +1  video" (buffer-string)))
    (should-not (buffer-modified-p))))

(ert-deftest reelwire-reverts ()
  (reelwire-tests--showing "REELWIRE_CLIP" reelwire-tests--all
    (let ((asset reelwire--asset))
      (revert-buffer)
      (should-not (alist-get 'filmstrip reelwire--parts))
      (reelwire-tests--wait
       (lambda ()
         (seq-every-p (lambda (part) (alist-get part reelwire--parts)) reelwire-tests--all)))
      (should-not (equal asset reelwire--asset)))))

(ert-deftest reelwire-says-what-is-wrong-and-what-to-do ()
  (reelwire-tests--showing "REELWIRE_BROKEN" '(problem)
    (should-not (alist-get 'tracks reelwire--parts))
    (should (string-match-p "\n." (alist-get 'problem reelwire--parts)))))

(ert-deftest reelwire-closes-what-comes-too-late ()
  (kill-buffer (reelwire-find-file (getenv "REELWIRE_LONG")))
  (reelwire-tests--nothing-left)
  (let ((buffer (reelwire-find-file (getenv "REELWIRE_LONG"))))
    (reelwire-tests--wait
     (lambda () (buffer-local-value 'reelwire--asset buffer)))
    (kill-buffer buffer)
    (reelwire-tests--nothing-left)))

(ert-deftest reelwire-tells-that-there-is-no-program ()
  (let ((reelwire-program "no-such-program")
        (reelwire--connection nil))
    (should (string-match-p "no-such-program"
                            (cadr (should-error (reelwire-find-file (getenv "REELWIRE_CLIP"))
                                                :type 'user-error)))))
  (mapc (lambda (buffer)
          (when (with-current-buffer buffer (derived-mode-p 'reelwire-mode)) (kill-buffer buffer)))
        (buffer-list)))

(ert-deftest reelwire-compiles-without-warnings ()
  (let* ((source (locate-library "reelwire.el"))
         (byte-compile-error-on-warn t)
         (made (expand-file-name "reelwire.elc" (getenv "REELWIRE_FOLDER")))
         (byte-compile-dest-file-function (lambda (_file) made)))
    (should (byte-compile-file source))))

;;; reelwire-tests.el ends here
