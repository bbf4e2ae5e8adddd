;;; jsonrpc-tests.el --- The engine, led by Emacs' jsonrpc.el  -*- lexical-binding: t; -*-

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'jsonrpc)
(require 'subr-x)

;; The seconds after which a wait is taken to hang.
(defconst jsonrpc-tests--hang (* 180 (string-to-number (or (getenv "REELWIRE_PATIENCE") "1"))))
(setq jsonrpc-default-request-timeout jsonrpc-tests--hang)

(defvar jsonrpc-tests--notifications nil "What has come and wasn't looked at, oldest first.")

(defun jsonrpc-tests--wait (done)
  "Read what the engine says until DONE gives something, and return that."
  (with-timeout (jsonrpc-tests--hang (ert-fail "nothing came"))
    (let (result)
      (while (not (setq result (funcall done)))
        (accept-process-output nil 1))
      result)))

(defun jsonrpc-tests--until (method)
  "The params of the notifications up to the first of METHOD, which is the last one."
  (jsonrpc-tests--wait (lambda () (assq method jsonrpc-tests--notifications)))
  (let (taken)
    (while (progn
             (push (pop jsonrpc-tests--notifications) taken)
             (not (eq (caar taken) method))))
    (mapcar #'cdr (nreverse taken))))

(defun jsonrpc-tests--get (object &rest path)
  "What is in OBJECT at PATH, a member's keyword or an element's number each."
  (dolist (step path object)
    (setq object (if (numberp step) (elt object step) (plist-get object step)))))

;; `jsonrpc-request' leaves the process filter by a throw once it has its answer. Up to Emacs 29 a
;; notification that was read together with the answer then stays in the buffer until the engine sends
;; something else, which it may never do. So requests that notifications follow are sent like this.
(defun jsonrpc-tests--start (connection method params)
  "Ask CONNECTION for the work of METHOD with PARAMS, and return its operation."
  (let (answer)
    (jsonrpc-async-request connection method params
                           :success-fn (lambda (result) (setq answer result))
                           :error-fn (lambda (failure) (setq answer failure)))
    (jsonrpc-tests--wait (lambda () answer))
    (plist-get answer :operation)))

(defun jsonrpc-tests--nothing-left (connection)
  "Check that CONNECTION's engine holds nothing, when what is ending has ended."
  (let ((stats (jsonrpc-tests--wait
                (lambda ()
                  (let ((stats (jsonrpc-request connection 'engine/stats nil)))
                    (and (zerop (plist-get stats :operations)) stats))))))
    (should (equal (plist-get stats :leases) 0))
    (should (equal (plist-get stats :handles) nil)))
  (should (equal (jsonrpc-request connection 'handle/list nil) '(:handles []))))

(defmacro jsonrpc-tests--with (connection &rest body)
  "Run BODY with a CONNECTION to an engine of its own, which is ended in good order."
  (declare (indent 1))
  `(let* ((jsonrpc-tests--notifications nil)
          (ended nil)
          (,connection
           (make-instance
            'jsonrpc-process-connection
            :name "reelwire"
            :process (lambda ()
                       (make-process
                        :name "reelwire" :connection-type 'pipe :coding 'utf-8-emacs-unix
                        :noquery t :stderr (get-buffer-create "*reelwire stderr*")
                        :command (list (getenv "REELWIRE_BINARY") "serve")))
            :notification-dispatcher
            (lambda (_connection method params)
              (setq jsonrpc-tests--notifications
                    (append jsonrpc-tests--notifications (list (cons method params)))))
            :on-shutdown
            (lambda (connection)
              (setq ended (list (process-exit-status (jsonrpc--process connection))))))))
     (unwind-protect
         (progn
           ,@body
           (jsonrpc-tests--nothing-left ,connection)
           (should (null (jsonrpc-request ,connection 'shutdown nil)))
           (jsonrpc-notify ,connection 'exit nil)
           (should (equal (jsonrpc-tests--wait (lambda () ended)) '(0))))
       (when (jsonrpc-running-p ,connection) (jsonrpc-shutdown ,connection)))))

(defun jsonrpc-tests--open (connection variable)
  "Open the clip that VARIABLE of the environment names, over CONNECTION."
  (plist-get (jsonrpc-request connection 'asset/open (list :url (getenv variable))) :asset))

(defun jsonrpc-tests--close (connection &rest handles)
  "Close HANDLES over CONNECTION."
  (dolist (handle handles)
    (jsonrpc-request connection 'handle/close (list :handle handle))))

(defun jsonrpc-tests--file (name)
  "A path in the test's own folder that ends in NAME."
  (expand-file-name name (getenv "REELWIRE_FOLDER")))

(ert-deftest values-come-with-their-notification ()
  (jsonrpc-tests--with connection
    (let* ((asset (jsonrpc-tests--open connection "REELWIRE_CLIP"))
           (operation (jsonrpc-tests--start connection 'asset/loadValues
                                            `(:asset ,asset :keys ["duration" "naturalSize"])))
           (told (car (jsonrpc-tests--until 'asset/didLoadValues)))
           (duration (jsonrpc-tests--get told :values :duration :value)))
      (should (equal (plist-get told :operation) operation))
      (should (= (plist-get duration :value) (* 2 (plist-get duration :timescale))))
      (should (equal (jsonrpc-tests--get told :values :naturalSize :value)
                     '(:width 160 :height 90)))
      (jsonrpc-tests--close connection asset))))

(ert-deftest images-come-in-messages-and-files ()
  (jsonrpc-tests--with connection
    (let* ((asset (jsonrpc-tests--open connection "REELWIRE_CLIP"))
           (generator (plist-get (jsonrpc-request connection 'imageGenerator/create
                                                  `(:asset ,asset))
                                 :imageGenerator))
           (blob (jsonrpc-tests--get
                  (jsonrpc-request connection 'imageGenerator/generateImage
                                   `(:imageGenerator ,generator :time 0.5 :format "png"))
                  :image :blob))
           (bytes (base64-decode-string (plist-get blob :data))))
      (should (string-prefix-p "\x89PNG" (string-as-unibyte bytes)))
      (should (= (length bytes) (plist-get blob :size)))
      (jsonrpc-tests--start
       connection 'imageGenerator/generateImages
       `(:imageGenerator ,generator :times [0.5 (:value 1 :timescale 2)] :format "png"
         :delivery (:kind "file" :path ,(jsonrpc-tests--file "café-%d.png"))))
      (should (equal (plist-get (car (last (jsonrpc-tests--until 'imageGenerator/didFinish)))
                                :succeeded)
                     2))
      (dolist (name '("café-0.png" "café-1.png"))
        (with-temp-buffer
          (set-buffer-multibyte nil)
          (insert-file-contents-literally (jsonrpc-tests--file name))
          (should (equal (buffer-string) bytes))))
      (jsonrpc-tests--close connection generator asset))))

(ert-deftest an-export-tells-of-its-progress ()
  (jsonrpc-tests--with connection
    (let* ((asset (jsonrpc-tests--open connection "REELWIRE_CLIP"))
           (output (jsonrpc-tests--file "part.mp4"))
           (session (plist-get
                     (jsonrpc-request
                      connection 'exportSession/create
                      `(:asset ,asset :preset "MediumQuality" :outputURL ,output))
                     :exportSession)))
      (jsonrpc-tests--start connection 'exportSession/export
                            `(:exportSession ,session :progressInterval 0.001))
      (let* ((told (jsonrpc-tests--until 'exportSession/didFinish))
             (progress (mapcar (lambda (step) (plist-get step :progress)) (butlast told)))
             (end (car (last told))))
        (should progress)
        (should (apply #'<= `(0 ,@progress 1)))
        (should (equal (plist-get end :status) "completed"))
        (should (equal (plist-get end :outputURL) output))
        (should (= (file-attribute-size (file-attributes output)) (plist-get end :fileSize))))
      (jsonrpc-tests--close connection session asset))))

(ert-deftest a-request-is-cancelled ()
  (jsonrpc-tests--with connection
    (let* ((asset (jsonrpc-tests--open connection "REELWIRE_LONG"))
           (output (jsonrpc-tests--file "long.mp4"))
           (session (plist-get
                     (jsonrpc-request
                      connection 'exportSession/create
                      `(:asset ,asset :preset "HighestQuality" :outputURL ,output))
                     :exportSession))
           failure)
      (jsonrpc-async-request
       connection 'exportSession/export
       `(:exportSession ,session :progressInterval 0.001 :completion "response")
       :timeout nil
       :success-fn (lambda (_result) (setq failure 'none))
       :error-fn (lambda (told) (setq failure told)))
      (jsonrpc-tests--until 'exportSession/didProgress)
      ;; jsonrpc.el keeps the id to itself: it is that of the one request without an answer.
      (jsonrpc-notify
       connection '$/cancelRequest
       (list :id (car (hash-table-keys (jsonrpc--request-continuations connection)))))
      (jsonrpc-tests--wait (lambda () failure))
      (should (equal (plist-get failure :code) -32800))
      (should-not (directory-files (getenv "REELWIRE_FOLDER") nil "long"))
      (jsonrpc-tests--close connection session asset))))

(ert-deftest errors-have-a-code-a-name-and-a-hint ()
  (jsonrpc-tests--with connection
    (let* ((failure (cdr (should-error (jsonrpc-request connection 'asset/valueStatus
                                                        '(:asset "asset:99" :keys ["duration"]))
                                       :type 'jsonrpc-error)))
           (data (alist-get 'jsonrpc-error-data (cdr failure))))
      (should (equal (alist-get 'jsonrpc-error-code (cdr failure)) 1001))
      (should (equal (plist-get data :name) "unknownHandle"))
      (should (stringp (plist-get data :hint))))
    (let ((asset (jsonrpc-tests--open connection "REELWIRE_BROKEN")))
      (jsonrpc-tests--start connection 'asset/loadValues `(:asset ,asset :keys ["duration"]))
      (let ((state (jsonrpc-tests--get (car (jsonrpc-tests--until 'asset/didLoadValues))
                                       :values :duration)))
        (should (equal (plist-get state :status) "failed"))
        (should (equal (jsonrpc-tests--get state :error :data :name) "fileFormatNotRecognized"))
        (should (stringp (jsonrpc-tests--get state :error :data :hint))))
      (jsonrpc-tests--close connection asset))))

;;; jsonrpc-tests.el ends here
