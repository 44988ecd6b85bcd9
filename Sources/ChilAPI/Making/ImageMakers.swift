import ChilDatabase
import ChilLoop
import ChilStore

/// Which pictures this build makes.
enum ImageMakers {
    static func all(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop) -> [ImagePurpose:
        any ImageMaker]
    {
        [
            .generation: GenerationMaker(shared, database, on: loop),
            .motion: MotionMaker(shared, database, on: loop, RasterPicture(rasterizer: shared.rasterizer)),
        ]
    }
}
