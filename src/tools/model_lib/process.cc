// SPDX-License-Identifier: BSD-3-Clause
#include "tools/model_lib/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace openqnn::tools::model_lib {
namespace {

namespace fs = std::filesystem;

bool can_run(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

Diagnostic cannot_start(const std::string& program, int error) {
  return system_failure("process-start", concat("the program cannot be started: ", std::strerror(error)))
      .at(program);
}

class Pipe {
 public:
  Pipe() { ok_ = ::pipe2(ends_, O_CLOEXEC) == 0; }
  ~Pipe() {
    if (!ok_) return;
    ::close(ends_[0]);
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool ok() const { return ok_; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
  bool ok_ = false;
};

class SpawnActions {
 public:
  SpawnActions(int output, const fs::path& folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_ = {};
};

// Ctrl-C at a terminal reaches both programs. The other one ends; this one then cleans up and says so.
class LeaveInterruptsToOther {
 public:
  LeaveInterruptsToOther() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &ignore, &before_);
    sigset_t interrupts;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigdefault(&attributes_, &interrupts);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~LeaveInterruptsToOther() {
    posix_spawnattr_destroy(&attributes_);
    ::sigaction(SIGINT, &before_, nullptr);
  }
  LeaveInterruptsToOther(const LeaveInterruptsToOther&) = delete;
  LeaveInterruptsToOther& operator=(const LeaveInterruptsToOther&) = delete;

  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  struct sigaction before_ = {};
  posix_spawnattr_t attributes_ = {};
};

std::string read_all(int descriptor) {
  std::string text;
  char piece[4096];
  while (true) {
    const ssize_t got = ::read(descriptor, piece, sizeof(piece));
    if (got > 0) text.append(piece, static_cast<size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return text;
  }
}

// Where whoever started us ignores the end of children, nobody keeps their status.
constexpr int kNoStatus = 127;

int status_of(pid_t process) {
  int status = 0;
  pid_t ended = -1;
  do {
    ended = ::waitpid(process, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended < 0) return kNoStatus;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::optional<fs::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return can_run(name) ? std::optional(fs::absolute(name)) : std::nullopt;
  const char* const folders = std::getenv("PATH");
  for (const std::string_view folder : split(folders == nullptr ? "" : folders, ":"))
    if (const fs::path path = fs::path(folder) / name; !folder.empty() && can_run(path))
      return fs::absolute(path);
  return std::nullopt;
}

Result<Finished> run_process(const std::vector<std::string>& words, const fs::path& folder) {
  Pipe pipe;
  if (!pipe.ok()) return cannot_start(words.at(0), errno);
  const SpawnActions actions(pipe.writer(), folder);
  const LeaveInterruptsToOther interrupts;
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int error = ::posix_spawn(&process, words[0].c_str(), actions.get(), interrupts.attributes(),
                                  arguments.data(), environ);
  if (error != 0) return cannot_start(words[0], error);
  pipe.close_writer();
  Finished finished;
  finished.output = read_all(pipe.reader());
  finished.status = status_of(process);
  return finished;
}

}  // namespace openqnn::tools::model_lib
