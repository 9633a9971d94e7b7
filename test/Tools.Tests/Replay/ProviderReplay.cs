using System.Buffers.Binary;
using System.Diagnostics;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using ProvPerf;
using Xunit;

namespace Tools.Tests.Replay;

/// <summary>Plays a recorded client against our provider and compares what it answers.</summary>
internal sealed class ProviderReplay(RecordedSession session, ProvPerfOptions options)
{
    private const int BarrierStream = 1_000_000;

    private readonly ProviderScript _script = new(session);
    private readonly Transcript _said = new();
    private readonly List<byte[]> _messages = [];
    private readonly MessageSplitter _splitter = new(session.FragmentIdBytes);
    private readonly Dictionary<int, int> _imagesOnStream = [];
    private readonly HashSet<Said> _paced = [];
    private readonly List<(uint, uint, bool)> _acks = [];
    private int _barriers;

    public void Run()
    {
        FieldDictionary? recorded =
            RecordedDictionary.Find(session.Messages.Where(message => !message.FromClient).Select(message => message.Bytes));
        FieldDictionary own = FoundDictionary.Load(options.Session);
        ListenOptions listen = options.Connection.ForServer("ProvPerf") with { Port = 0 };
        using RsslListener listener = RsslListener.Bind(listen);
        using Worker worker = new(new WorkerOptions { TickRate = options.Run.TickRate }, ProvPerfRole.CreateRecording(options));
        using ReplayPeer client = ReplayPeer.Connect(listener.Port);
        Assert.True(listener.TryAccept(ReplayPeer.Patience, out AcceptedConnection? connection));
        MessageData messages = MessageData.Load(options.MsgFile, own);
        ProviderLoad load = new(messages, new UpdateSource(messages, options.PreEncoded), ProviderPlan.Of(options, worker.Options.Number),
            own);
        worker.Serve(connection!, new ProviderSession(ProvPerfRole.CreateSession(options, recorded ?? own), load));
        using (TurnThread thread = new(worker))
        {
            Play(client);
            client.FinishSending();
            Assert.True(thread.End());
            Assert.Null(thread.Defect);
        }

        Compare(recorded, worker.Recording.Counters);
    }

    private void Play(ReplayPeer client)
    {
        foreach (RecordedFrame frame in session.Frames.TakeWhile(frame => frame.IsHandshake))
        {
            if (frame.FromClient)
                client.Send(frame.Bytes);
            else
                Assert.NotNull(client.ReadFrame());
        }

        foreach ((byte[] frames, (int Images, int DictionaryParts, int Replies) lengths) in _script.Turns)
        {
            client.Send(frames);
            ReadUntil(client, () => _said.Reaches(lengths));
        }

        ReadUntil(client, () => _script.Demanded.All(_paced.Contains) && _acks.Count >= _script.Acks.Count);

        // After two turns of the worker nothing is left that it would still answer.
        for (int barrier = 1; barrier <= 2; barrier++)
        {
            client.Send(EncodeBarrier());
            ReadUntil(client, () => _barriers == barrier);
        }
    }

    private void ReadUntil(ReplayPeer client, Func<bool> isEnough)
    {
        long start = Stopwatch.GetTimestamp();
        while (!isEnough())
        {
            byte[]? frame = Stopwatch.GetElapsedTime(start) < ReplayPeer.Patience ? client.ReadFrame() : null; // updates never end
            Assert.True(frame is not null, $"our provider should have said\n{_script.Expected}\nbut said\n{_said}");
            foreach ((byte[] message, _) in _splitter.Take(frame, number: 0))
                Take(message);
        }
    }

    private void Take(byte[] message)
    {
        Said said = Said.From(message);
        _messages.Add(message);
        if (said.StreamId == BarrierStream)
        {
            _barriers++;
        }
        else if (said.IsPaced)
        {
            Assert.True(_imagesOnStream.ContainsKey(said.StreamId), $"before the image: {said}");
            Assert.Contains(said with { StreamId = 0 }, _script.Paced);
            _paced.Add(said with { StreamId = 0 });
        }
        else if (said.Class == MsgClass.Ack)
        {
            _acks.Add(ProviderScript.ReadAck(message));
        }
        else if (!AllowedDifferences.IsFree(said))
        {
            int before = _imagesOnStream.GetValueOrDefault(said.StreamId);
            if (said.IsImage)
                _imagesOnStream[said.StreamId] = before + 1;
            if (!said.IsImage || !_script.ComesTooLate(said.StreamId, before))
                _said.Add(said);
        }
    }

    private void Compare(FieldDictionary? dictionary, CounterSet counters)
    {
        Assert.Equal(_script.Acks, _acks);
        Assert.Equal((_script.Posts, _script.Generics), (counters[Counter.PostsReceived], counters[Counter.GenericReceived]));
        Assert.Equal(counters[Counter.PostsReceived], counters[Counter.PostsReflected] + counters[Counter.PostsRefused]);
        Assert.Equal($"{_script.Expected}", $"{_said}");
        if (dictionary is not null)
            Assert.Equal(RecordedDictionary.Lines(dictionary), RecordedDictionary.Lines(RecordedDictionary.Find(_messages)!));
    }

    private static byte[] EncodeBarrier()
    {
        const int HeaderBytes = 3;
        const byte DataFlag = 0x02;
        byte[] frame = new byte[64];
        int bytes = DirectoryConsumer.EncodeRequest(frame.AsSpan(HeaderBytes));
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(HeaderBytes + Said.StreamIdOffset), BarrierStream);
        frame[1] = (byte)(HeaderBytes + bytes);
        frame[2] = DataFlag;
        return frame[..(HeaderBytes + bytes)];
    }
}
