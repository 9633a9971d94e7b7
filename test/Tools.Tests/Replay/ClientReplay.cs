using System.Net;
using System.Net.Sockets;
using PerfCommon.Tests;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests.Replay;

/// <summary>Plays a recorded server against one of our programs that connect, and receives its messages.</summary>
internal abstract class ClientReplay(RecordedSession session)
{
    private readonly MessageSplitter _splitter = new(session.FragmentIdBytes);

    protected RecordedSession Session => session;

    /// <summary>What the program has said, but for what is paced.</summary>
    protected List<Said> Spoken { get; } = [];

    /// <summary>What it should say, a message a line.</summary>
    protected abstract string Expected { get; }

    protected string Actual => string.Join('\n', Spoken);

    /// <summary>What is played.</summary>
    protected virtual IReadOnlyList<RecordedFrame> Frames => session.Frames;

    /// <summary>Connects the program's session, plays the recording, and ends both.</summary>
    protected void Play(Worker worker, Connection program, ConnectOptions connect)
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        worker.Connect(program, connect with { Host = "127.0.0.1", Port = ((IPEndPoint)listener.LocalEndPoint!).Port });
        using TurnThread thread = new(worker);
        using (ReplayPeer server = ReplayPeer.Accept(listener))
        {
            PlayFrames(server);
            FinishPlaying(server, worker);
            worker.RequestEnd();
            while (TryRead(server))
            {
            }
        }

        Assert.True(thread.End());
        Assert.Null(thread.Defect);
        Assert.Equal(Expected, Actual);
    }

    /// <summary>True when a recorded message must be said in its place.</summary>
    protected abstract bool IsCompared(RecordedMessage message);

    /// <summary>Receives messages whose pace our program chooses.</summary>
    protected abstract void TakePaced(Said said);

    /// <summary>Waits for the messages after the last frame.</summary>
    protected abstract void FinishPlaying(ReplayPeer server, Worker worker);

    /// <summary>Reads a frame, which must come.</summary>
    protected void Read(ReplayPeer server) =>
        Assert.True(TryRead(server), $"our program should have said\n{Expected}\nbut said\n{Actual}");

    private void PlayFrames(ReplayPeer server)
    {
        int expected = 0;
        for (int i = 0; i < Frames.Count; i++)
        {
            RecordedFrame frame = Frames[i];
            if (!frame.FromClient)
                server.Send(frame.Bytes);
            else if (frame.IsHandshake)
                Assert.NotNull(server.ReadFrame());
            expected += session.Messages.Count(message => message.FromClient && message.Frame == i && IsCompared(message));
            while (Spoken.Count < expected)
                Read(server);
        }
    }

    private bool TryRead(ReplayPeer server)
    {
        if (server.ReadFrame() is not { } frame)
            return false;
        foreach ((byte[] message, _) in _splitter.Take(frame, number: 0))
        {
            Said said = Said.From(message);
            if (said.IsPaced)
                TakePaced(said);
            else
                Spoken.Add(said);
        }

        return true;
    }
}
