package io.amphora.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.core.Reply;
import io.amphora.core.sim.SimDisk;
import io.amphora.core.sim.SimScheduler;
import io.amphora.core.sim.SimWal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReplicaStateTest {

  private static final UUID ME = new UUID(1, 1);
  private static final UUID OTHER = new UUID(2, 2);

  private static Promise.Request request(int epoch, UUID id) {
    return new Promise.Request(epoch, id);
  }

  @Test
  void shouldRefuseLowerEpochsAndOtherElections() {
    ReplicaState promised = ReplicaState.NEW.promise(request(5, ME)).orElseThrow();

    assertThat(promised.promise(request(4, ME))).isEmpty();
    assertThat(promised.promise(request(5, OTHER))).isEmpty();
    assertThat(promised.promise(request(5, ME))).contains(promised);
    assertThat(promised.promise(request(6, OTHER)).orElseThrow().promised()).isEqualTo(6);
  }

  @Test
  void shouldLeadOnceAndOnlyWhatItPromised() {
    ReplicaState promised = ReplicaState.NEW.promise(request(5, ME)).orElseThrow();

    assertThat(promised.lead(request(5, OTHER))).isEmpty();
    assertThat(promised.lead(request(4, ME))).isEmpty();
    ReplicaState led = promised.lead(request(5, ME)).orElseThrow();
    assertThat(led.led()).isEqualTo(5);
    assertThat(led.lead(request(5, ME))).as("after a restart").isEmpty();
    assertThat(led.promise(request(6, ME)).orElseThrow().lead(request(6, ME))).isPresent();
  }

  @Test
  void shouldBelieveTheLogWhenItKnowsMore() {
    assertThat(ReplicaState.NEW.atLeast(7).promised()).isEqualTo(7);
    assertThat(ReplicaState.NEW.atLeast(7).promise(request(7, ME))).isEmpty();
    assertThat(ReplicaState.NEW.atLeast(7).atLeast(3).promised()).isEqualTo(7);
  }

  @Test
  void shouldReadTheDocumentItWrote() {
    Map<ReplicaKey, ReplicaState> states = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      states.put(new ReplicaKey(new UUID(i, 1), i), new ReplicaState(i, new UUID(i, 2), i / 2));
    }
    byte[] document = ReplicaStatesCodec.encode(states);
    assertThat(ReplicaStatesCodec.decode(document)).isEqualTo(states);
  }

  @Test
  void shouldFindEveryFlippedByteInTheDocument() {
    byte[] document =
        ReplicaStatesCodec.encode(Map.of(new ReplicaKey(ME, 1), new ReplicaState(3, OTHER, 2)));
    for (int i = 0; i < document.length; i++) {
      byte[] bad = document.clone();
      bad[i] ^= 0x10;
      assertThatThrownBy(() -> ReplicaStatesCodec.decode(bad))
          .as("byte %d", i)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void shouldShareOneWriteForWhatCameMeanwhile() {
    SimScheduler scheduler = new SimScheduler(1);
    SimDisk disk = new SimDisk();
    ReplicaStates states =
        new ReplicaStates(new SimWal(disk, scheduler), scheduler.loop("control"), Map.of());
    List<Reply<Integer>> replies = new ArrayList<>();

    for (int i = 0; i < 50; i++) {
      states.update(Map.of(new ReplicaKey(ME, i), new ReplicaState(1, ME, 0)), replies::add);
    }
    scheduler.runUntilIdle();

    assertThat(replies).hasSize(50).allMatch(Reply.Ok.class::isInstance);
    assertThat(disk.documentWrites).isEqualTo(2);
    assertThat(ReplicaStatesCodec.decode(disk.document(ReplicaStates.DOCUMENT))).hasSize(50);
  }

  @Test
  void shouldFailThoseWhoseWriteFailed() {
    SimScheduler scheduler = new SimScheduler(1);
    SimDisk disk = new SimDisk();
    ReplicaStates states =
        new ReplicaStates(new SimWal(disk, scheduler), scheduler.loop("control"), Map.of());
    List<Reply<Integer>> replies = new ArrayList<>();
    disk.full = true;

    states.update(Map.of(new ReplicaKey(ME, 1), new ReplicaState(1, ME, 0)), replies::add);
    scheduler.runUntilIdle();

    assertThat(replies).hasSize(1).allMatch(Reply.Failed.class::isInstance);
  }
}
